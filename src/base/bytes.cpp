#include "base/bytes.hpp"

#include <fmt/format.h>

#include <array>

#include "base/assert.hpp"
#include "base/scaled_number.hpp"

namespace swaprig {
namespace {

constexpr std::array k_size_units{
    NamedUnit{"B", 1},
    NamedUnit{"KiB", std::uint64_t{1} << 10U},
    NamedUnit{"MiB", std::uint64_t{1} << 20U},
    NamedUnit{"GiB", std::uint64_t{1} << 30U},
    NamedUnit{"TiB", std::uint64_t{1} << 40U},
    NamedUnit{"PiB", std::uint64_t{1} << 50U},
    NamedUnit{"EiB", std::uint64_t{1} << 60U},
    NamedUnit{"kB", 1'000},
    NamedUnit{"KB", 1'000},
    NamedUnit{"MB", 1'000'000},
    NamedUnit{"GB", 1'000'000'000},
    NamedUnit{"TB", 1'000'000'000'000},
    NamedUnit{"PB", 1'000'000'000'000'000},
    NamedUnit{"EB", 1'000'000'000'000'000'000},
};
constexpr std::size_t k_binary_units = 7;

SizeFault to_size_fault(NumberFault fault) {
  switch (fault) {
    case NumberFault::none:
      return SizeFault::none;
    case NumberFault::no_unit:
      return SizeFault::no_unit;
    case NumberFault::unknown_unit:
      return SizeFault::unknown_unit;
    case NumberFault::not_a_number:
      return SizeFault::not_a_number;
    case NumberFault::negative:
      return SizeFault::negative;
    case NumberFault::overflow:
      return SizeFault::overflow;
  }
  return SizeFault::not_a_number;
}

}  // namespace

Bytes operator+(Bytes a, Bytes b) {
  Bytes sum;
  const bool overflow = __builtin_add_overflow(a.count, b.count, &sum.count);
  SWAPRIG_ASSERT(!overflow);
  return sum;
}

Bytes operator-(Bytes a, Bytes b) {
  SWAPRIG_ASSERT(a.count >= b.count);
  return Bytes{a.count - b.count};
}

Bytes operator*(Bytes a, std::uint64_t factor) {
  Bytes product;
  const bool overflow = __builtin_mul_overflow(a.count, factor, &product.count);
  SWAPRIG_ASSERT(!overflow);
  return product;
}

ParsedSize parse_size(std::string_view text) {
  const auto number = parse_scaled_number(text, k_size_units);
  return {Bytes{number.value}, to_size_fault(number.fault)};
}

std::string exact(Bytes bytes) {
  std::size_t unit = 0;
  while (bytes.count != 0 && unit + 1 < k_binary_units && bytes.count % k_size_units[unit + 1].factor == 0) ++unit;
  return fmt::format("{} {}", bytes.count / k_size_units[unit].factor, k_size_units[unit].name);
}

std::string rounded(Bytes bytes) {
  std::size_t unit = 0;
  while (unit + 1 < k_binary_units && bytes.count >= k_size_units[unit + 1].factor) ++unit;
  if (unit == 0) return fmt::format("{} B", bytes.count);
  const double value = static_cast<double>(bytes.count) / static_cast<double>(k_size_units[unit].factor);
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, k_size_units[unit].name);
}

}  // namespace swaprig
