#include "plan/plan.hpp"

#include <algorithm>

#include "plan/seeded_order.hpp"

namespace swaprig::plan {
namespace {

struct Arm {
  std::string name;
  std::string scenario;
};

/// In the order of the file; the second arm of an A/A comparison stands behind the baseline.
std::vector<Arm> arms_of(const spec::Experiment& experiment) {
  std::vector<Arm> arms;
  for (const auto& scenario : experiment.scenarios) {
    arms.push_back({scenario.name, scenario.name});
    if (experiment.runs.aa && scenario.name == experiment.baseline) {
      arms.push_back({scenario.name + k_aa_suffix, scenario.name});
    }
  }
  return arms;
}

void append_block(std::vector<PlannedRun>& runs, int block, const std::vector<Arm>& arms) {
  int position = 0;
  for (const auto& arm : arms) runs.push_back({block, ++position, arm.name, arm.scenario});
}

}  // namespace

std::vector<PlannedRun> make_plan(const spec::Experiment& experiment) {
  SplitMix64 random(experiment.runs.seed);
  const auto in_file_order = arms_of(experiment);
  auto arms = in_file_order;
  std::vector<PlannedRun> runs;
  for (int block = 1; block <= experiment.runs.count; ++block) {
    const bool is_mirror = experiment.runs.order == spec::Order::mirrored && block % 2 == 0;
    if (is_mirror) {
      std::reverse(arms.begin(), arms.end());
    } else if (experiment.runs.order != spec::Order::sequential) {
      arms = in_file_order;
      shuffle(arms, random);
    }
    append_block(runs, block, arms);
  }
  return runs;
}

}  // namespace swaprig::plan
