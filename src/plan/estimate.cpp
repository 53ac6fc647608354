#include <algorithm>

#include "plan/plan.hpp"

namespace swaprig::plan {

Estimate estimate(const std::vector<PlannedRun>& runs, const std::map<std::string, Seconds>& earlier, Seconds guess) {
  Estimate result;
  for (const auto& run : runs) {
    const auto known = earlier.find(run.scenario);
    const Seconds time = known != earlier.end() ? known->second : guess;
    const bool is_new_arm = result.per_run.emplace(run.arm, time).second;
    if (is_new_arm && known == earlier.end()) result.guessed.push_back(run.arm);
    result.total += time;
  }
  std::sort(result.guessed.begin(), result.guessed.end());
  result.from_earlier_runs = !runs.empty() && result.guessed.empty();
  return result;
}

}  // namespace swaprig::plan
