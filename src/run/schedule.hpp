#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "run/record.hpp"

namespace swaprig::run {

/// An invalid run gets this many more attempts.
inline constexpr int k_more_attempts = 2;

struct Wishes {
  bool retry_failed = false;   ///< one more attempt for each failed run that this command finds
};

/// A planned run and the number of its next attempt.
struct NextRun {
  plan::PlannedRun planned;
  int attempt = 1;

  friend bool operator==(const NextRun&, const NextRun&) = default;
};

/// What has to run now, in order: first everything without a final state (planned, aborted), in the order of the plan,
/// then what deserves another attempt. `stored` are the runs of the batch as they are now, `before` those that were
/// stored when the command started (a failed run is tried again once a command). Pure.
std::vector<NextRun> queue(std::span<const plan::PlannedRun> plan, std::span<const RunRecord> stored,
                           std::span<const RunRecord> before, Wishes wishes);

/// The last attempt of each planned run, aborted ones left out: what counts for tables and exit codes.
std::vector<const RunRecord*> final_runs(std::span<const RunRecord> stored);

/// True when every final run is valid or unsupported and none is missing.
bool all_good(std::span<const plan::PlannedRun> plan, std::span<const RunRecord> stored);

}  // namespace swaprig::run
