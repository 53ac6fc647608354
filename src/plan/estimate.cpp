#include <algorithm>

#include "plan/plan.hpp"

namespace swaprig::plan {
namespace {

/// Seconds here for one second there.
double scale_of(const std::map<std::string, Seconds>& earlier, const std::map<std::string, double>& published,
                Seconds guess) {
  std::vector<double> ratios;
  double fastest = 0;
  for (const auto& [scenario, there] : published) {
    if (there <= 0) continue;
    fastest = fastest == 0 ? there : std::min(fastest, there);
    if (const auto here = earlier.find(scenario); here != earlier.end()) ratios.push_back(here->second.count() / there);
  }
  if (ratios.empty()) return fastest == 0 ? 0 : guess.count() / fastest;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace

std::vector<std::string> Estimate::from(Source wanted) const {
  std::vector<std::string> arms;
  for (const auto& [arm, from] : source) {
    if (from == wanted) arms.push_back(arm);
  }
  return arms;
}

Estimate estimate(const std::vector<PlannedRun>& runs, const std::map<std::string, Seconds>& earlier,
                  const std::map<std::string, double>& published, Seconds guess) {
  const auto scale = scale_of(earlier, published, guess);
  Estimate result;
  for (const auto& run : runs) {
    auto source = Source::guess;
    Seconds time = guess;
    if (const auto known = earlier.find(run.scenario); known != earlier.end()) {
      source = Source::earlier;
      time = known->second;
    } else if (const auto there = published.find(run.scenario); there != published.end() && scale > 0) {
      source = Source::published;
      time = Seconds(there->second * scale);
    }
    result.per_run.emplace(run.arm, time);
    result.source.emplace(run.arm, source);
    result.total += time;
  }
  return result;
}

}  // namespace swaprig::plan
