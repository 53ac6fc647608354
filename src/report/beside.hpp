#pragma once

// One's own results beside a study that somebody else published: how much longer than the floor each scenario takes,
// relative to the baseline, so that machines of different speed can be compared. Values in, values out.

#include <optional>
#include <string>
#include <vector>

#include "report/findings.hpp"

namespace swaprig::report {

/// One's own figure of one scenario.
struct BesideFigure {
  std::optional<double> seconds;
  std::optional<double> excess;  ///< over the floor's seconds, relative to the baseline's
  std::string blank_because;     ///< why there is no excess; empty when there is one
};

/// One published scenario.
struct BesideRow {
  std::string name;       ///< raw, as published
  std::string label;      ///< safe to show on one line
  std::string own;        ///< the experiment's scenario, raw; empty when the experiment leaves it out
  std::string own_label;  ///< safe to show on one line
  double seconds = 0;     ///< as published, and what follows from it
  double ratio = 0;
  double excess = 0;
  BesideFigure time;   ///< of the score
  BesideFigure drive;  ///< of the busy time of the simulated drives that hold its swap
  int valid = 0;       ///< own runs
  int planned = 0;
};

struct Beside {
  std::string floor;  ///< labels, as published
  std::string baseline;
  std::vector<BesideRow> rows;         ///< as the study has them
  bool drive_times = false;            ///< any own scenario with swap has a drive time
  std::vector<std::string> sentences;  ///< what is missing, and whether the orders agree
};

/// Nothing when the experiment names no study of scenarios.
std::optional<Beside> beside_published(const Subject& subject, const Findings& findings);

/// One of spec::k_setup_keys in the experiment's own words; empty when nothing is known of it.
std::string own_setup(const Subject& subject, const std::string& key);

}  // namespace swaprig::report
