#include "run/schedule.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using run::State;

namespace {

const std::vector<plan::PlannedRun> k_plan{{1, 1, "a", "a"}, {1, 2, "b", "b"}, {2, 1, "b", "b"}, {2, 2, "a", "a"}};

run::RunRecord stored(int block, int position, State state, int attempt = 1) {
  run::RunRecord record;
  record.block = block;
  record.position = position;
  record.attempt = attempt;
  record.state = state;
  return record;
}

std::vector<run::NextRun> queue_of(const std::vector<run::RunRecord>& runs, run::Wishes wishes = {}) {
  return run::queue(k_plan, runs, runs, wishes);
}

}  // namespace

TEST_CASE("with nothing stored, every planned run is queued in the order of the plan") {
  const auto queue = queue_of({});
  REQUIRE(queue.size() == 4);
  for (std::size_t i = 0; i < queue.size(); ++i) CHECK(queue[i] == run::NextRun{k_plan[i], 1});
}

TEST_CASE("a full batch leaves nothing to do") {
  const std::vector<run::RunRecord> runs{stored(1, 1, State::valid), stored(1, 2, State::unsupported),
                                         stored(2, 1, State::failed), stored(2, 2, State::valid)};
  CHECK(queue_of(runs).empty());
  CHECK_FALSE(run::all_good(k_plan, runs));
}

TEST_CASE("an aborted run is done again, finished ones are kept") {
  const auto queue = queue_of({stored(1, 1, State::valid), stored(1, 2, State::aborted)});
  REQUIRE(queue.size() == 3);
  CHECK(queue[0] == run::NextRun{k_plan[1], 2});
  CHECK(queue[1] == run::NextRun{k_plan[2], 1});
}

TEST_CASE("an invalid run gets two more attempts, behind everything that never ran") {
  std::vector<run::RunRecord> runs{stored(1, 1, State::invalid)};
  auto queue = queue_of(runs);
  REQUIRE(queue.size() == 4);
  CHECK(queue.back() == run::NextRun{k_plan[0], 2});

  runs.push_back(stored(1, 1, State::invalid, 2));
  CHECK(queue_of(runs).back() == run::NextRun{k_plan[0], 3});
  runs.push_back(stored(1, 1, State::invalid, 3));
  CHECK(queue_of(runs).size() == 3);
}

TEST_CASE("an aborted attempt does not count against an invalid run's attempts") {
  const std::vector<run::RunRecord> runs{stored(1, 1, State::invalid), stored(1, 1, State::aborted, 2),
                                         stored(1, 1, State::invalid, 3)};
  CHECK(queue_of(runs).back() == run::NextRun{k_plan[0], 4});
}

TEST_CASE("failed runs are tried again only when asked, and once a command") {
  const std::vector<run::RunRecord> before{stored(1, 1, State::failed), stored(1, 2, State::valid),
                                           stored(2, 1, State::valid), stored(2, 2, State::valid)};
  CHECK(queue_of(before).empty());
  const auto queue = queue_of(before, {true});
  REQUIRE(queue.size() == 1);
  CHECK(queue[0].attempt == 2);

  auto now = before;
  now.push_back(stored(1, 1, State::failed, 2));
  CHECK(run::queue(k_plan, now, before, {true}).empty());
  CHECK(run::queue(k_plan, now, now, {true}).size() == 1);
}

TEST_CASE("the last attempt that was not aborted is what counts") {
  const std::vector<run::RunRecord> runs{stored(1, 1, State::invalid), stored(1, 1, State::valid, 2),
                                         stored(1, 1, State::aborted, 3)};
  const auto finals = run::final_runs(runs);
  REQUIRE(finals.size() == 1);
  CHECK(finals[0]->state == State::valid);
  CHECK(finals[0]->attempt == 2);
}

TEST_CASE("valid and unsupported runs are good, a missing one is not") {
  std::vector<run::RunRecord> runs{stored(1, 1, State::valid), stored(1, 2, State::unsupported),
                                   stored(2, 1, State::valid)};
  CHECK_FALSE(run::all_good(k_plan, runs));
  runs.push_back(stored(2, 2, State::valid));
  CHECK(run::all_good(k_plan, runs));
}
