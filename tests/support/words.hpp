#pragma once

#include <string>
#include <string_view>

namespace swaprig::testing {

/// Whether a message holds a part.
inline bool mentions(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace swaprig::testing
