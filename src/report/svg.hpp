#pragma once

#include <string>

#include "report/chart.hpp"

namespace swaprig::report {

enum class SvgUse { in_page, own_file };

/// Takes gnuplot's SVG apart and puts together one that is safe inside a page: no scripts, no event handlers, ids that
/// start with the chart's name, roles of colours as classes (s-ROLE stroke, f-ROLE fill, c-ROLE both by currentColor),
/// role "img" with title and description. One with its own file carries its colours, light and dark. Throws Error when
/// it is no SVG.
std::string adapt_svg(const std::string& drawn, const Chart& chart, SvgUse use);

/// The rules for the classes, and the variables they stand on.
std::string palette_css();

}  // namespace swaprig::report
