#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace swaprig::report {

/// Makes the folder, or takes one of ours; one that holds something else is refused with UsageError.
void claim(const std::filesystem::path& folder);

/// Pictures into the folder of charts; those of an earlier report go.
void write_charts(const std::filesystem::path& folder, const std::vector<DrawnChart>& charts);

/// Sentences about the charts that are missing, and why.
std::vector<std::string> faults_of(const std::vector<DrawnChart>& charts, CommandRunner& commands);

}  // namespace swaprig::report
