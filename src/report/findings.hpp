#pragma once

// What a report says, before any of it is formatted: values in, values out. Every renderer reads these findings, so
// that the page, the tables and the data never disagree.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/making.hpp"
#include "report/report.hpp"
#include "report/why.hpp"
#include "stats/summary.hpp"

namespace swaprig::report {

/// One valid time.
struct TimedRun {
  int block = 0;
  double seconds = 0;
  bool outlier = false;  ///< flagged, still counted
};

/// One bar in the chart.
struct Arm {
  std::string name;   ///< raw, as in the file
  std::string label;  ///< safe to show on one line
  std::string scenario;
  bool baseline = false;
  bool aa = false;  ///< the baseline's second arm
  bool places_swap = false;
  bool position_only = false;      ///< differs from the baseline only in the position on a file-backed drive
  std::vector<std::string> twins;  ///< labels of the timed arms that differ from this one only in that position
  int planned = 0;
  std::vector<TimedRun> times;                   ///< by block; one a block at most
  std::optional<stats::Summary> summary;         ///< nothing without a valid run
  std::optional<double> score;                   ///< seconds that the arms are ranked by
  std::optional<stats::Comparison> comparison;   ///< with the baseline, when both have valid runs
  int dropped_pairs = 0;                         ///< blocks in which only one of the two is valid
  std::optional<std::int64_t> swapped_in_bytes;  ///< median of the valid runs
  std::optional<std::int64_t> swapped_out_bytes;
  std::string blank_because;  ///< why there is no valid run; empty when there is one
  const run::RunRecord* scored =
      nullptr;                  ///< the run that gives the score: the best one, or the one nearest the median
  std::optional<RunWork> work;  ///< of that run
  std::string attribution;      ///< where that run's time went, in one sentence; empty without a run

  /// Busy time of the simulated drives that the scenario swaps to, in seconds; nothing when any of them is no such
  /// drive.
  std::optional<double> drive_time_s() const;
};

/// Something that has to be read before any number; shown above everything.
struct Banner {
  std::string code;  ///< "emulated", "position", "partial", "not-counted", "aa"
  std::string title;
  std::string text;
};

struct Findings {
  std::vector<Arm> arms;  ///< fastest first, blank ones last
  std::vector<Banner> banners;
  std::string answer;   ///< one sentence
  std::string setting;  ///< on what it was measured, one line
  std::vector<std::string> notes;
  stats::Conclusion conclusion = stats::Conclusion::nothing_compared;
  double delta = 0;         ///< the band of what does not matter, as a fraction
  std::string score_words;  ///< "best", "median", "expected best of 3"
  /// Of an experiment that makes swap files, a scenario each: what its runs are about. The times of the whole workload,
  /// in which every file is proven as well, say nothing then.
  std::vector<Making> makings;
  int planned_runs = 0;
  int final_runs = 0;  ///< planned runs whose last attempt came to an end
  int valid_runs = 0;
  std::vector<const run::RunRecord*>
      not_counted;  ///< every run that is neither valid nor planned; points into the subject

  const Arm* baseline() const;  ///< nullptr when the experiment names none that is there
};

/// The subject has to outlive the findings.
Findings find(const Subject& subject);

/// Block, position, attempt: the order of every list of runs.
std::vector<const run::RunRecord*> in_order(const std::vector<run::RunRecord>& runs);

/// Whether two scenarios differ in nothing but where on the same drives their areas lie.
bool differ_only_in_position(const spec::Scenario& a, const spec::Scenario& b);

}  // namespace swaprig::report
