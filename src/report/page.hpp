#pragma once

// The page and the Markdown report: one tree of words, two templates.

#include <string>
#include <vector>

#include "report/chart.hpp"
#include "report/findings.hpp"

namespace swaprig::report {

/// One file: no script, no request to anywhere. The same input gives the same bytes.
std::string html_page(const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts);

/// Charts are linked from charts/.
std::string markdown_page(const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts);

/// Everything that Markdown or HTML inside it would take for markup, escaped.
std::string markdown_escaped(const std::string& text);

}  // namespace swaprig::report
