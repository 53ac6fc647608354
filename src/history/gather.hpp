#pragma once

// From what is stored to series, and what is said of their last nights.

#include <optional>
#include <string>
#include <vector>

#include "history/series.hpp"
#include "store/store.hpp"

namespace swaprig::history {

/// One arm of an experiment over all its batches, oldest first, with a verdict for each night.
struct Series {
  std::string experiment;
  std::string arm;
  std::vector<Night> nights;
  std::vector<NightVerdict> verdicts;

  /// Position of the last night with a verdict beyond `no_score`; nothing without one.
  std::optional<std::size_t> last_scored() const;
};

/// Everything of one experiment that history looks at.
struct Stored {
  std::string experiment;
  std::vector<store::BatchRow> batches;  ///< in any order
  std::vector<store::TimedRun> runs;
};

/// One series an arm, by name; arms that came later behind those. The score is the best or the median of the valid times, as the
/// experiment of that batch says.
std::vector<Series> gather(const Stored& stored, double delta);

/// The |A/A| effects of the batches that have a second arm of the baseline, as fractions, oldest first.
std::vector<double> aa_effects(const Stored& stored);

}  // namespace swaprig::history
