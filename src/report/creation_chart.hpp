#pragma once

// Time against size of making swap files, on logarithmic axes. Takes plain numbers, so that measured and published ones
// are drawn alike.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace swaprig::report {

struct CreationPoint {
  std::uint64_t bytes = 0;
  double seconds = 0;
};

/// One way of making the file: one line of the chart.
struct CreationSeries {
  std::string method;
  std::vector<CreationPoint> points;  ///< in any order
  bool dashed = false;  ///< a variant of the last one that is not: in its colour, with open marks
};

/// What is drawn against what; by default the time against the size.
struct CreationAxes {
  std::string across = "size of the swap file";
  std::string up = "seconds";
  std::string what = "Seconds that making a swap file took, against its size, a line for each method.";
  std::string joint = " in ";  ///< between a size and its value in the description
  std::string unit = " s";     ///< behind the value
};

/// One line a method with a mark for each size; a method with a single size is a mark alone. A point without a positive
/// size and time has no place on such axes: it is not drawn, and the description says so. Nothing without any point to
/// draw.
std::optional<Chart> creation_chart(const std::string& name, const std::string& title,
                                    const std::vector<CreationSeries>& series, const CreationAxes& axes = {});

}  // namespace swaprig::report
