#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace swaprig::guest {

/// A whole decimal number and nothing else, within 2^53 of zero, so that it survives JSON. What a guest sends as a
/// number may be anything.
inline std::optional<std::int64_t> to_integer(std::string_view text) {
  constexpr std::int64_t k_bound = std::int64_t{1} << 53U;
  std::int64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value > k_bound || value < -k_bound) return std::nullopt;
  return value;
}

}  // namespace swaprig::guest
