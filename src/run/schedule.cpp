#include "run/schedule.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace swaprig::run {

namespace {

using Place = std::pair<int, int>;   // block, position

struct Tally {
  int attempts = 0;
  int invalid = 0;
  const RunRecord* last = nullptr;   // the last that was not aborted
};

std::map<Place, Tally> tally(std::span<const RunRecord> stored) {
  std::map<Place, Tally> places;
  for (const auto& run : stored) {
    auto& place = places[{run.block, run.position}];
    place.attempts = std::max(place.attempts, run.attempt);
    if (run.state == State::invalid) ++place.invalid;
    const bool is_final = run.state != State::aborted && run.state != State::running && run.state != State::planned;
    if (is_final && (place.last == nullptr || place.last->attempt < run.attempt)) place.last = &run;
  }
  return places;
}

bool deserves_another(const Tally& now, const Tally& before, Wishes wishes) {
  if (now.last->state == State::invalid) return now.invalid <= k_more_attempts;
  if (now.last->state != State::failed || !wishes.retry_failed) return false;
  return before.last != nullptr && before.last->attempt == now.last->attempt;
}

}  // namespace

std::vector<NextRun> queue(std::span<const plan::PlannedRun> plan, std::span<const RunRecord> stored,
                           std::span<const RunRecord> before, Wishes wishes) {
  const auto now = tally(stored);
  const auto earlier = tally(before);
  std::vector<NextRun> first;
  std::vector<NextRun> again;
  for (const auto& planned : plan) {
    const Place place{planned.block, planned.position};
    const auto found = now.find(place);
    if (found == now.end() || found->second.last == nullptr) {
      first.push_back({planned, found == now.end() ? 1 : found->second.attempts + 1});
      continue;
    }
    const auto old = earlier.find(place);
    if (deserves_another(found->second, old == earlier.end() ? Tally{} : old->second, wishes)) {
      again.push_back({planned, found->second.attempts + 1});
    }
  }
  first.insert(first.end(), again.begin(), again.end());
  return first;
}

std::vector<const RunRecord*> final_runs(std::span<const RunRecord> stored) {
  std::vector<const RunRecord*> runs;
  for (const auto& [place, entry] : tally(stored)) {
    if (entry.last != nullptr) runs.push_back(entry.last);
  }
  return runs;
}

bool all_good(std::span<const plan::PlannedRun> plan, std::span<const RunRecord> stored) {
  const auto runs = final_runs(stored);
  return runs.size() == plan.size() && std::all_of(runs.begin(), runs.end(), [](const RunRecord* run) {
           return run->state == State::valid || run->state == State::unsupported;
         });
}

}  // namespace swaprig::run
