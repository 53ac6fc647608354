#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "spec/document.hpp"

namespace swaprig::spec {

/// Where a TOML text first nests deeper than `limit`, by brackets or by the parts of one dotted key. The parser
/// and the destructors of its tree call themselves for every level, so this is asked before it sees the text.
/// Strings and comments do not count; broken TOML gives no false alarm that matters.
std::optional<Position> first_too_deep(std::string_view text, std::size_t limit);

}  // namespace swaprig::spec
