#pragma once

// The sequential rate of a drive along its capacity, as it was measured, and the curve of the profile made from it.
// Takes plain numbers.

#include <string>
#include <vector>

#include "report/chart.hpp"

namespace swaprig::report {

struct RatePoint {
  double percent = 0;  ///< of the drive's capacity
  double mb_per_s = 0;
};

/// Marks for what was measured, a line for what was fitted; both axes begin at 0. Needs a measured point.
Chart drive_curve_chart(const std::string& name, const std::string& title, const std::vector<RatePoint>& measured,
                        const std::vector<RatePoint>& fitted);

}  // namespace swaprig::report
