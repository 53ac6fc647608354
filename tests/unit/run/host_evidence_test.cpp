#include "run/host_evidence.hpp"

#include "support/catch.hpp"

using namespace swaprig::run;

TEST_CASE("O_DIRECT is read from the flags of a descriptor") {
  CHECK(is_direct("pos:\t0\nflags:\t02140002\nmnt_id:\t29\n"));
  CHECK_FALSE(is_direct("pos:\t0\nflags:\t02100002\nmnt_id:\t29\n"));
  CHECK_FALSE(is_direct("pos:\t0\n"));
  CHECK_FALSE(is_direct("flags:\n"));
}

TEST_CASE("a value is found by its whole key at the start of a line") {
  const char* text = "pswpin 12\npswpout 3456\nVmSwap:\t     128 kB\n";
  CHECK(value_after(text, "pswpin") == 12);
  CHECK(value_after(text, "pswpout") == 3456);
  CHECK(value_after(text, "VmSwap") == 128);
  CHECK_FALSE(value_after(text, "pswp"));
  CHECK_FALSE(value_after(text, "VmRSS"));
  CHECK_FALSE(value_after("", "pswpin"));
  CHECK_FALSE(value_after("pswpin", "pswpin"));
}

TEST_CASE("pressure totals are taken, averages are not") {
  Counters counters;
  add_pressure("some avg10=1.00 avg60=0.50 avg300=0.10 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=789\n",
               "memory", counters);
  CHECK(counters == Counters{{"memory.some", 123456}, {"memory.full", 789}});
  add_pressure("nonsense\nsome total=\n", "io", counters);
  CHECK(counters.size() == 2);
}
