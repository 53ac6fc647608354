#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "guest/observations.hpp"

namespace swaprig::guest {

/// The largest result of `probe swapfiles` that is read from a guest.
inline constexpr std::uint64_t k_creations_limit = 8U << 20U;

/// Reads it (base/wire.hpp). Whatever a guest put there, the answer is its cells or AgentError. Pure.
std::vector<Creation> parse_creations(std::string_view text);

}  // namespace swaprig::guest
