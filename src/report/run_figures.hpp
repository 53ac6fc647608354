#pragma once

// The figures of one run as CSV and JSON give them: units in the names, nothing where there is no reading, never 0.

#include <cstdint>
#include <optional>
#include <string>

#include "run/record.hpp"
#include "spec/experiment.hpp"

namespace swaprig::report {

struct RunFigures {
  std::optional<double> wall_s;  ///< guest's CLOCK_MONOTONIC; when the workload finished
  std::optional<double> user_s;
  std::optional<double> sys_s;
  std::optional<double> host_wall_s;
  std::optional<std::int64_t> peak_memory_bytes;  ///< resident and swapped, of the workload's process tree
  std::optional<std::int64_t> major_faults;
  std::optional<std::int64_t> pswpin_pages;
  std::optional<std::int64_t> pswpout_pages;
  std::optional<double> boot_s;
  std::optional<double> place_swap_s;
  std::optional<double> settle_s;
  std::optional<double> swapoff_s;
  std::optional<double> drive_busy_s;  ///< of the simulated drives that the run swaps to
  std::string o_direct;                ///< "yes", "no", "simulated", "unknown"
  std::optional<std::string> started_utc;
  std::optional<std::string> ended_utc;
};

RunFigures figures_of(const run::RunRecord& run, const spec::Experiment& experiment);

}  // namespace swaprig::report
