#include "history/gather.hpp"

#include <cmath>

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::history;

namespace {

store::BatchRow batch(const std::string& id, int day, const std::string& score = "best") {
  store::BatchRow row;
  row.id = id;
  row.experiment = "e";
  row.started = UtcTime(std::chrono::hours(24 * day));
  row.canonical = "runs.score = \"" + score + "\"\nscenarios[1].name = \"a\"\n";
  row.host_facts = {{"CPU", "X"}};
  return row;
}

store::TimedRun timed(const std::string& id, const std::string& arm, int block, double seconds) {
  return {id, arm, arm.substr(0, 1), block, seconds > 0, seconds};
}

}  // namespace

TEST_CASE("runs become nights, oldest first, scored as their experiment says") {
  const Stored stored{"e",
                      {batch("second", 2, "median"), batch("first", 1)},
                      {timed("first", "a", 1, 0), timed("first", "a", 1, 5), timed("first", "a", 2, 3),
                       timed("first", "a", 3, 4), timed("first", "b", 1, 0), timed("second", "a", 1, 5),
                       timed("second", "a", 2, 3), timed("second", "a", 3, 7)}};
  const auto series = gather(stored, 0.02);
  REQUIRE(series.size() == 2);
  CHECK(series[0].arm == "a");
  REQUIRE(series[0].nights.size() == 2);
  CHECK(series[0].nights[0].batch == "first");
  CHECK(series[0].nights[0].score == 3);
  CHECK(series[0].nights[0].valid == 3);
  CHECK(series[0].nights[0].planned == 3);
  CHECK(series[0].nights[1].score == 5);
  CHECK(series[0].last_scored() == 1);
  CHECK(series[1].arm == "b");
  CHECK_FALSE(series[1].nights[0].score);
  CHECK_FALSE(series[1].last_scored());
}

TEST_CASE("the noise floor comes from batches with a second arm of the baseline") {
  const Stored stored{"e",
                      {batch("first", 1), batch("second", 2)},
                      {timed("first", "a", 1, 100), timed("first", "a (A/A)", 1, 102), timed("first", "a", 2, 100),
                       timed("first", "a (A/A)", 2, 98), timed("second", "a", 1, 100)}};
  const auto effects = aa_effects(stored);
  REQUIRE(effects.size() == 1);
  CHECK(effects[0] == Approx(1 - std::sqrt(1.02 * 0.98)).epsilon(1e-6));
}
