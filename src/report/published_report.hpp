#pragma once

// A published study alone, in the format of our reports. Nothing in it was measured here, and every page says so.

#include <filesystem>
#include <string>
#include <vector>

#include "report/chart.hpp"
#include "spec/published.hpp"

namespace swaprig::report {

/// Charts as `published_chart` has them, drawn; the version is swaprig's.
std::string published_html(const spec::Published& study, const std::string& version,
                           const std::vector<DrawnChart>& charts);
std::string published_markdown(const spec::Published& study, const std::string& version,
                               const std::vector<DrawnChart>& charts);

/// schema "swaprig.published" (reports/README.md).
std::string published_json(const spec::Published& study, const std::string& version);

/// Writes index.html, report.md, report.json and charts/ into the folder, as `write_report` does. Returns sentences
/// about what could not be done.
std::vector<std::string> write_published_report(const spec::Published& study, const std::string& version,
                                                const std::filesystem::path& folder, CommandRunner& commands);

}  // namespace swaprig::report
