#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace swaprig::guest {

/// RFC 4648, with padding.
std::string to_base64(std::string_view bytes);

/// The inverse; nothing when the text is not exactly of that form.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace swaprig::guest
