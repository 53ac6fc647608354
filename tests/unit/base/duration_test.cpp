#include "base/duration.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace std::chrono_literals;

namespace {

DurationFault duration_fault(const char* text) { return parse_duration(text).fault; }

}  // namespace

TEST_CASE("durations with units") {
  CHECK(parse_duration("250 ms").value == 250ms);
  CHECK(parse_duration("90s").value == 90s);
  CHECK(parse_duration("3 h").value == 3h);
  CHECK(parse_duration("1.5 min").value == 90s);
  CHECK(parse_duration("2 d").value == 48h);
  CHECK(parse_duration("7 us").value == 7us);
  CHECK(parse_duration("0 s").value == 0s);
  CHECK(parse_duration("0 s").fault == DurationFault::none);
}

TEST_CASE("every fault of a duration") {
  CHECK(duration_fault("90") == DurationFault::no_unit);
  CHECK(duration_fault("90 sec") == DurationFault::unknown_unit);
  CHECK(duration_fault("soon") == DurationFault::not_a_number);
  CHECK(duration_fault("0.5 ns") == DurationFault::not_a_number);
  CHECK(duration_fault("-3 h") == DurationFault::negative);
  CHECK(duration_fault("300 d") == DurationFault::none);
  CHECK(duration_fault("200000 d") == DurationFault::overflow);
  CHECK(duration_fault("99999999999999999999 d") == DurationFault::overflow);
}

TEST_CASE("exact durations use the largest unit that divides") {
  CHECK(exact(3h) == "3 h");
  CHECK(exact(90s) == "90 s");
  CHECK(exact(250ms) == "250 ms");
  CHECK(exact(48h) == "2 d");
  CHECK(exact(Nanoseconds{0}) == "0 s");
  CHECK(exact(Nanoseconds{1}) == "1 ns");
}

TEST_CASE("durations as people say them") {
  CHECK(clock_time(Seconds(0)) == "0.0 s");
  CHECK(clock_time(Seconds(4.21)) == "4.2 s");
  CHECK(clock_time(Seconds(59.96)) == "1:00");
  CHECK(clock_time(Seconds(1701)) == "28:21");
  CHECK(clock_time(Seconds(3723)) == "1:02:03");
  CHECK(clock_time(Seconds(3599.7)) == "1:00:00");
  CHECK(clock_time(Seconds(-61)) == "-1:01");
}
