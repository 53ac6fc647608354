#pragma once

// Making swap files: the timings of all valid runs as what a report says of them. Values in, values out.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "stats/growth.hpp"

namespace swaprig::report {

/// One size of one way. One boot is one observation: the median of its timings.
struct MadeFile {
  std::uint64_t size = 0;
  std::vector<double> observations;  ///< seconds, one a valid run, in the order of the runs
  std::vector<std::size_t> boots;    ///< of which valid run each of them is
  std::vector<double> user_s;        ///< likewise, medians of one boot
  std::vector<double> sys_s;
  std::optional<double> seconds;  ///< median of the observations
  std::optional<double> user;
  std::optional<double> sys;
  double fastest = 0;  ///< of all single timings
  double slowest = 0;
  int timings = 0;          ///< single ones, of all runs
  std::string unsupported;  ///< why it cannot be done here, safe to show; empty when it can
};

/// One way of making the file: one line of the chart.
struct MakingLine {
  std::string method;       ///< "fallocate", "dd", or the control "fallocate(2)"
  std::uint64_t block = 0;  ///< dd's
  bool durable = false;
  bool control = false;
  std::string label;  ///< "dd, 4 KiB blocks, fsync"
  std::vector<MadeFile> files;  ///< by size
  std::optional<stats::Growth> growth;

  const MadeFile* of_size(std::uint64_t size) const;
};

/// How much longer dd takes than fallocate for one size, with whichever block makes dd fastest.
struct MakingRatio {
  std::uint64_t size = 0;
  std::uint64_t block = 0;  ///< of the fastest dd
  double dd_s = 0;
  double fallocate_s = 0;

  double ratio() const { return dd_s / fallocate_s; }
};

/// All of one scenario, which is one file system.
struct Making {
  std::string name;         ///< the scenario's, raw
  std::string label;        ///< safe to show on one line
  std::string file_system;  ///< as the guest found it; empty without a valid run
  int runs = 0;             ///< valid ones
  std::vector<std::uint64_t> sizes;
  std::vector<MakingLine> lines;     ///< without fsync first; within that fallocate, the bare call, dd by block
  std::optional<double> control_s;   ///< fork, exec and wait of a program that does nothing
  double control_fastest = 0;        ///< of all single timings of it
  double control_slowest = 0;
  std::string blank_because;  ///< why nothing is there; empty when something is

  const MakingLine* line(const std::string& method, std::uint64_t block, bool durable) const;
  /// By size; only where both were made.
  std::vector<MakingRatio> ratios(bool durable) const;
  /// Whether a line of this kind has a time.
  bool has(bool durable) const;
};

/// How fast dd wrote the largest file that it made.
struct DdRate {
  std::uint64_t block = 0;
  double bytes_per_s = 0;
};

/// By block.
std::vector<DdRate> dd_rates(const Making& making, bool durable);

/// In the order of the file; the baseline's second arm behind it. Empty when the experiment makes no swap files.
std::vector<Making> find_makings(const Subject& subject);

/// What the baseline's file system says in one sentence, or the first one's that says anything.
std::string making_answer(const std::vector<Making>& makings, const std::string& baseline);

/// The same of every other file system, and what could not be done.
std::vector<std::string> making_notes(const std::vector<Making>& makings, const std::string& baseline);

/// "0.410 ms", "12.3 ms", "4.53 s"
std::string short_time(double seconds);

/// "0.43 (95 % 0.21 to 0.65)"
std::string exponent_in_words(const stats::Growth& growth);

}  // namespace swaprig::report
