#include "batch/enough.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "run/schedule.hpp"
#include "stats/summary.hpp"

namespace swaprig::batch {

namespace {

/// Seconds by arm and block, valid runs only.
using Times = std::map<std::string, std::map<int, double>>;

Times times_until(int block, std::span<const run::RunRecord> stored) {
  Times times;
  for (const auto* run : run::final_runs(stored)) {
    if (run->block <= block && run->state == run::State::valid) times[run->arm][run->block] = run->wall_seconds();
  }
  return times;
}

double best(const std::map<int, double>& times) {
  return std::min_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->second;
}

/// One comparison for each arm that has a pair with the baseline.
std::vector<stats::Comparison> compare_all(const Times& times, const std::string& baseline, double delta) {
  std::vector<stats::Comparison> comparisons;
  const auto base = times.find(baseline);
  if (base == times.end()) return comparisons;
  for (const auto& [arm, blocks] : times) {
    if (arm == baseline) continue;
    std::vector<stats::Pair> pairs;
    for (const auto& [block, seconds] : blocks) {
      if (const auto partner = base->second.find(block); partner != base->second.end()) {
        pairs.push_back({partner->second, seconds});
      }
    }
    if (!pairs.empty()) comparisons.push_back(stats::compare(pairs, delta, best(base->second), best(blocks)));
  }
  return comparisons;
}

std::vector<plan::PlannedRun> blocks_until(const std::vector<plan::PlannedRun>& plan, int block) {
  std::vector<plan::PlannedRun> part;
  std::copy_if(plan.begin(), plan.end(), std::back_inserter(part),
               [block](const plan::PlannedRun& run) { return run.block <= block; });
  return part;
}

}  // namespace

std::vector<plan::PlannedRun> needed(const std::vector<plan::PlannedRun>& plan, const spec::Experiment& experiment,
                                     std::span<const run::RunRecord> stored) {
  if (!experiment.runs.precision) return plan;
  const double delta = 2 * *experiment.runs.precision;   // precise_enough asks for half-widths of delta / 2
  int begun = 0;
  for (const auto& run : stored) begun = std::max(begun, run.block);
  for (int block = 4; block < experiment.runs.count; block += 2) {
    // Attempts that a look still waits for come before the next block; a block that was begun is always needed.
    const auto part = blocks_until(plan, block);
    const auto comparisons = compare_all(times_until(block, stored), experiment.baseline, delta);
    const bool waits = !run::queue(part, stored, stored, {}).empty();
    if (waits || stats::precise_enough(block, comparisons, delta)) return blocks_until(plan, std::max(block, begun));
  }
  return plan;
}

}  // namespace swaprig::batch
