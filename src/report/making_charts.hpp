#pragma once

#include <string>
#include <vector>

#include "report/chart.hpp"
#include "report/making.hpp"

namespace swaprig::report {

/// Names of the charts: the two that show all file systems, and one for each.
inline constexpr const char* k_rate_chart = "making-rate";
inline constexpr const char* k_ratio_chart = "making-ratio";
std::string making_time_chart_name(const Making& making);

/// Time against size for each file system, dd's rate against its block, dd against fallocate.
std::vector<Chart> making_charts(const std::vector<Making>& makings);

}  // namespace swaprig::report
