#pragma once

// One scenario night by night: values in, values out.

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"

namespace swaprig::history {

/// What one batch says about one scenario.
struct Night {
  std::string batch;
  UtcTime started{};
  std::string epoch;            ///< only nights of one epoch are compared
  std::optional<double> score;  ///< seconds, as that batch's report ranks the scenario; nothing without a valid run
  int valid = 0;
  int planned = 0;
};

enum class Standing {
  no_score,  ///< nothing ran, or nothing of it counted
  early,     ///< of the first seven of its epoch: nothing to hold it against
  usual,
  suspect,    ///< away from the nights before it; not confirmed
  confirmed,  ///< a change: suspect two nights in a row in one direction, or confirmed by runs of the same night
};

struct NightVerdict {
  Standing standing = Standing::no_score;
  double effect = 0;             ///< score over the usual one, less 1; positive: slower. From `usual` on
  std::optional<double> usual;   ///< seconds: the median that it was held against
  double allowed = 0;            ///< a smaller |effect| is no reason for suspicion, as a fraction
  bool recovery = false;         ///< a confirmed change back to an earlier level

  friend bool operator==(const NightVerdict&, const NightVerdict&) = default;
};

inline constexpr std::size_t k_window = 14;       ///< nights that a night is held against
inline constexpr std::size_t k_first_nights = 7;  ///< of an epoch, which are only learnt from

/// One verdict a night, in their order (oldest first). Suspect: |y - median of the last 14| > max(delta, 3 * 1.4826 * MAD
/// of the last 14), y = ln(score). A confirmed change begins a new level, which later nights are held against, with
/// the scatter of the nights before it until it has its own; so going back is a change as well, a recovery. A suspect that the
/// next night does not bear out stays in the window as a night like others. `delta` is a fraction above 0; `borne_out`
/// holds the batches whose confirmation runs agreed.
std::vector<NightVerdict> judge_nights(std::span<const Night> nights, double delta,
                                       const std::set<std::string>& borne_out = {});

}  // namespace swaprig::history
