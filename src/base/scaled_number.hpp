#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace swaprig {

struct NamedUnit {
  std::string_view name;
  std::uint64_t factor = 1;
};

enum class NumberFault { none, no_unit, unknown_unit, not_a_number, negative, overflow };

struct ScaledNumber {
  std::uint64_t value = 0;
  NumberFault fault = NumberFault::none;
};

/// Reads "NUMBER UNIT" (a decimal number without exponent, the space is optional) as NUMBER times the unit's
/// factor. What is not a whole multiple of the smallest unit is `not_a_number`. Never throws.
ScaledNumber parse_scaled_number(std::string_view text, std::span<const NamedUnit> units);

}  // namespace swaprig
