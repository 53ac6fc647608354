#include "base/clock.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace std::chrono_literals;

TEST_CASE("UTC times are written and read back") {
  const UtcTime time =
      std::chrono::sys_days(std::chrono::year_month_day(2026y, std::chrono::November, 30d)) + 19h + 21min + 39s + 123ms;
  CHECK(iso8601(time) == "2026-11-30T19:21:39.123Z");
  CHECK(parse_iso8601("2026-11-30T19:21:39.123Z") == time);
  CHECK(iso8601(UtcTime{}) == "1970-01-01T00:00:00.000Z");
  CHECK(iso8601(parse_iso8601("2024-02-29T23:59:59.999Z")) == "2024-02-29T23:59:59.999Z");
}

TEST_CASE("other texts are no times") {
  for (const char* text : {"", "2026-11-30", "2026-11-30T19:21:39Z", "2026-11-30T19:21:39.123",
                           "2026-13-30T19:21:39.123Z", "2026-02-29T19:21:39.123Z", "2026-11-30T24:21:39.123Z",
                           "2026-11-30T19:60:39.123Z", "2026-11-30 19:21:39.123Z", "+026-11-30T19:21:39.123Z"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_iso8601(text), Error);
  }
}

TEST_CASE("the monotonic clock does not go back, and sleep lasts at least as long as asked") {
  SystemClock clock;
  const auto before = clock.monotonic();
  clock.sleep(2ms);
  CHECK(clock.monotonic() - before >= 2ms);
  clock.sleep(-1s);
}
