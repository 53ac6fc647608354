#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/duration.hpp"
#include "spec/experiment.hpp"

namespace swaprig::plan {

/// The name of the second arm of an A/A comparison.
inline constexpr const char* k_aa_suffix = " (A/A)";

struct PlannedRun {
  int block = 0;              ///< from 1
  int position = 0;           ///< within the block, from 1
  std::string arm;            ///< scenario name, or the baseline's with k_aa_suffix
  std::string scenario;       ///< the scenario that the arm runs

  friend bool operator==(const PlannedRun&, const PlannedRun&) = default;
};

/// Every run in order. mirrored: block 2k-1 is a seeded shuffle, block 2k its mirror; random: every block is
/// shuffled; sequential: the order of the file. The same experiment and seed give the same plan on every machine.
std::vector<PlannedRun> make_plan(const spec::Experiment& experiment);

/// Seconds of one run, per arm, and where they come from.
struct Estimate {
  std::map<std::string, Seconds> per_run;
  Seconds total{0};
  bool from_earlier_runs = false;   ///< every arm has an earlier time; else some are guesses, `guessed` names them
  std::vector<std::string> guessed;
};

/// `earlier`: median whole-run seconds by scenario from stored runs of the same epoch, may be empty.
Estimate estimate(const std::vector<PlannedRun>& runs, const std::map<std::string, Seconds>& earlier,
                  Seconds guess);

}  // namespace swaprig::plan
