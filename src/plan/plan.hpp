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

/// Where the estimate of an arm comes from.
enum class Source {
  earlier,    ///< its own runs on this machine
  published,  ///< a published study's ratio to another scenario, of which there are runs or a guess
  guess,
};

/// Seconds of one run, per arm, and where they come from.
struct Estimate {
  std::map<std::string, Seconds> per_run;
  std::map<std::string, Source> source;
  Seconds total{0};

  /// The arms of that source, sorted.
  std::vector<std::string> from(Source wanted) const;
};

/// `earlier`: median whole-run seconds by scenario from stored runs, may be empty. `published`: seconds of a published
/// study by scenario, may be empty; only their ratios count: a scenario without runs of its own gets the median, over those
/// that have both, of earlier time / published time, times its published time. Without any such the fastest published
/// one is taken to need `guess`.
Estimate estimate(const std::vector<PlannedRun>& runs, const std::map<std::string, Seconds>& earlier,
                  const std::map<std::string, double>& published, Seconds guess);

}  // namespace swaprig::plan
