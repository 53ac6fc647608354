#include "history/gather.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "history/epoch.hpp"
#include "plan/plan.hpp"
#include "stats/summary.hpp"

namespace swaprig::history {

namespace {

bool scores_by_median(const store::BatchRow& batch) {
  const auto lines = split(batch.canonical, '\n');
  return std::find(lines.begin(), lines.end(), "runs.score = \"median\"") != lines.end();
}

/// What one batch has of one arm.
struct ArmTimes {
  std::string scenario;
  std::map<int, double> valid;  ///< seconds by block
  std::set<int> blocks;         ///< that were begun
};

using Batches = std::map<std::string, std::map<std::string, ArmTimes>>;  // by batch, then by arm

Batches by_batch(const std::vector<store::TimedRun>& runs) {
  Batches batches;
  for (const auto& run : runs) {
    auto& arm = batches[run.batch][run.arm];
    arm.scenario = run.scenario;
    arm.blocks.insert(run.block);
    if (run.valid) arm.valid[run.block] = run.seconds;
  }
  return batches;
}

std::vector<const store::BatchRow*> oldest_first(const Stored& stored) {
  std::vector<const store::BatchRow*> batches;
  for (const auto& batch : stored.batches) batches.push_back(&batch);
  std::stable_sort(batches.begin(), batches.end(), [](const auto* a, const auto* b) { return a->started < b->started; });
  return batches;
}

Night night_of(const store::BatchRow& batch, const ArmTimes& times) {
  Night night;
  night.batch = batch.id;
  night.started = batch.started;
  night.epoch = epoch_of(stable_facts(batch.host_facts, batch.canonical, batch.files, times.scenario));
  night.valid = static_cast<int>(times.valid.size());
  night.planned = static_cast<int>(times.blocks.size());
  std::vector<double> seconds;
  for (const auto& [block, value] : times.valid) seconds.push_back(value);
  if (!seconds.empty()) {
    night.score = scores_by_median(batch) ? stats::median(seconds) : *std::min_element(seconds.begin(), seconds.end());
  }
  return night;
}

}  // namespace

std::optional<std::size_t> Series::last_scored() const {
  for (auto i = verdicts.size(); i-- > 0;) {
    if (verdicts[i].standing != Standing::no_score) return i;
  }
  return std::nullopt;
}

std::vector<Series> gather(const Stored& stored, double delta) {
  const auto times = by_batch(stored.runs);
  std::vector<Series> found;
  std::map<std::string, std::size_t> places;
  for (const auto* batch : oldest_first(stored)) {
    const auto arms = times.find(batch->id);
    if (arms == times.end()) continue;
    for (const auto& [arm, arm_times] : arms->second) {
      const auto [place, is_new] = places.try_emplace(arm, found.size());
      if (is_new) found.push_back({stored.experiment, arm, {}, {}});
      found[place->second].nights.push_back(night_of(*batch, arm_times));
    }
  }
  for (auto& series : found) series.verdicts = judge_nights(series.nights, delta);
  return found;
}

std::vector<double> aa_effects(const Stored& stored) {
  const auto times = by_batch(stored.runs);
  std::vector<double> effects;
  for (const auto* batch : oldest_first(stored)) {
    const auto arms = times.find(batch->id);
    if (arms == times.end()) continue;
    for (const auto& [arm, second] : arms->second) {
      const auto first = arms->second.find(second.scenario);
      if (arm != second.scenario + plan::k_aa_suffix || first == arms->second.end()) continue;
      std::vector<double> logs;
      for (const auto& [block, seconds] : second.valid) {
        const auto other = first->second.valid.find(block);
        if (other != first->second.valid.end()) logs.push_back(std::log(seconds / other->second));
      }
      double sum = 0;
      for (const double value : logs) sum += value;
      if (!logs.empty()) effects.push_back(std::abs(std::expm1(sum / static_cast<double>(logs.size()))));
    }
  }
  return effects;
}

}  // namespace swaprig::history
