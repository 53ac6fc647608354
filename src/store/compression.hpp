#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace swaprig::store {

/// RFC 1950.
std::string compressed(std::string_view text);

/// The inverse; nothing unless exactly `size` bytes come out.
std::optional<std::string> decompressed(std::string_view bytes, std::size_t size);

}  // namespace swaprig::store
