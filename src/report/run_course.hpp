#pragma once

// Memory and swap over the time of one run, from the probe's samples; and in which order the runs were made. Pure.

#include <optional>
#include <vector>

#include "report/findings.hpp"

namespace swaprig::report {

/// One sample. Rates are of the time since the sample before it.
struct CoursePoint {
  double at_s = 0;                          ///< seconds since the start of the workload
  std::optional<double> memory_used_bytes;  ///< of the whole guest: total minus available
  double swap_used_bytes = 0;
  std::optional<double> swap_in_bytes_per_s;  ///< nothing for the first sample
  std::optional<double> swap_out_bytes_per_s;
};

/// Samples that do not go forward in time are left out. Of more than `limit` samples (at least 2) every n-th and the
/// last one are taken; the rates stay true, since what is counted is summed from boot on.
std::vector<CoursePoint> course_of(const run::Evidence& evidence, std::size_t limit);

/// What stands beside the chart: the highest of each, and the mean rates from the first to the last sample.
struct CourseSummary {
  std::size_t samples = 0;
  std::optional<double> most_memory_bytes;
  std::optional<double> most_swap_bytes;
  std::optional<double> fastest_in_bytes_per_s;
  std::optional<double> fastest_out_bytes_per_s;
  std::optional<double> mean_in_bytes_per_s;
  std::optional<double> mean_out_bytes_per_s;
};

CourseSummary summarise_course(const std::vector<CoursePoint>& points);

/// Which arms the report shows over time: all of them, or the baseline, the fastest, the slowest and the five next
/// fastest. In the order of the findings; arms without a valid run are in neither list. Points into the findings.
struct CourseChoice {
  std::vector<const Arm*> shown;
  std::vector<const Arm*> left_out;
};

CourseChoice choose_courses(const Findings& findings);

/// One run in the order in which the runs were begun.
struct OrderedRun {
  int place = 0;  ///< from 1
  const run::RunRecord* run = nullptr;
  std::optional<double> seconds;  ///< of the workload; nothing when it did not finish
};

/// Every run that was begun; points into the subject.
std::vector<OrderedRun> run_order(const Subject& subject);

}  // namespace swaprig::report
