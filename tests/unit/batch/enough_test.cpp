#include "batch/enough.hpp"

#include "run/schedule.hpp"

#include "support/catch.hpp"

using namespace swaprig;

namespace {

spec::Experiment experiment_with(std::optional<double> precision, int count) {
  spec::Experiment experiment;
  experiment.name = "a";
  experiment.baseline = "x";
  for (const char* name : {"x", "y"}) {
    spec::Scenario scenario;
    scenario.name = name;
    experiment.scenarios.push_back(scenario);
  }
  experiment.runs.count = count;
  experiment.runs.precision = precision;
  return experiment;
}

/// Every run of the first blocks valid: x takes 10 s, y takes what `seconds` says for the block.
std::vector<run::RunRecord> stored_runs(const std::vector<plan::PlannedRun>& plan, const std::vector<double>& seconds) {
  std::vector<run::RunRecord> runs;
  for (const auto& planned : plan) {
    if (planned.block > static_cast<int>(seconds.size())) continue;
    run::RunRecord record;
    record.block = planned.block;
    record.position = planned.position;
    record.arm = planned.arm;
    record.state = run::State::valid;
    const double time = planned.arm == "x" ? 10 : seconds[static_cast<std::size_t>(planned.block - 1)];
    record.evidence.workload.wall_ns = static_cast<std::int64_t>(time * 1e9);
    runs.push_back(record);
  }
  return runs;
}

std::size_t needed_runs(std::optional<double> precision, const std::vector<double>& seconds) {
  const auto experiment = experiment_with(precision, 10);
  const auto plan = plan::make_plan(experiment);
  return batch::needed(plan, experiment, stored_runs(plan, seconds)).size();
}

}  // namespace

TEST_CASE("without a precision the whole plan is needed") { CHECK(needed_runs(std::nullopt, {12, 12, 12, 12}) == 20); }

TEST_CASE("exact differences are known after four blocks, not before") {
  CHECK(needed_runs(0.02, {}) == 8);             // the first look comes after four blocks
  CHECK(needed_runs(0.02, {12, 12, 12}) == 8);
  CHECK(needed_runs(0.02, {12, 12, 12, 12}) == 8);
  CHECK(needed_runs(0.02, {12, 12, 12, 12, 12}) == 10);   // nothing that was begun is left out
}

TEST_CASE("noise keeps the blocks coming, and odd numbers of blocks are not looked at") {
  CHECK(needed_runs(0.02, {12, 15, 11, 14}) == 12);          // to the next look, after six
  CHECK(needed_runs(0.02, {12, 15, 11, 14, 12, 16, 11, 15}) == 20);
  // ln(12/10), one block 1 % off: s = 0.005, half-width 3.182 * 0.005 / 2 = 0.8 % at n = 4.
  CHECK(needed_runs(0.005, {12, 12, 12, 12.12}) == 12);
  CHECK(needed_runs(0.05, {12, 12, 12, 12.12}) == 8);
}

TEST_CASE("an invalid run is tried again before the next block, and the batch is complete afterwards") {
  const auto experiment = experiment_with(0.02, 10);
  const auto plan = plan::make_plan(experiment);
  auto runs = stored_runs(plan, {12, 12, 12, 12});
  runs.back().state = run::State::invalid;
  auto part = batch::needed(plan, experiment, runs);
  CHECK(part.size() == 8);
  CHECK(run::queue(part, runs, runs, {}).size() == 1);

  auto again = runs.back();
  again.attempt = 2;
  again.state = run::State::valid;
  runs.push_back(again);
  part = batch::needed(plan, experiment, runs);
  CHECK(part.size() == 8);
  CHECK(run::all_good(part, runs));
}
