#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/observations.hpp"
#include "spec/placement.hpp"

namespace swaprig::guest {

/// The lines of /proc/swaps, octal escapes in paths undone. Throws AgentError for a text of another form. Pure.
std::vector<SwapLine> parse_swaps(std::string_view text);

/// The line that an area has to show. Nothing is used; a priority of -1 stands for the kernel's own.
SwapLine expected_line(const spec::ExpectedSwap& expected);

/// How the areas that are on differ from what was planned, for people; empty when they do not. Sizes may differ by a
/// page of 4 KiB. Priorities that were not planned are the kernel's own: negative, and falling in the order of the
/// areas. Pure.
std::string swap_difference(const std::vector<spec::ExpectedSwap>& expected, const std::vector<SwapLine>& found);

}  // namespace swaprig::guest
