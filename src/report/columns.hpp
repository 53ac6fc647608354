#pragma once

#include <string>
#include <string_view>

namespace swaprig::report {

/// Terminal columns that a text takes: East Asian wide characters and emoji two, combining marks none.
int columns_of(std::string_view text);

/// The beginning that fits, with "…" where something was cut.
std::string shortened(std::string_view text, int columns);

/// Filled up with spaces behind, or before.
std::string left_aligned(std::string_view text, int columns);
std::string right_aligned(std::string_view text, int columns);

}  // namespace swaprig::report
