#include "base/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/scaled_number.hpp"

namespace swaprig {
namespace {

/// In nanoseconds, ascending.
constexpr std::array k_duration_units{
    NamedUnit{"ns", 1},
    NamedUnit{"us", 1'000},
    NamedUnit{"ms", 1'000'000},
    NamedUnit{"s", 1'000'000'000},
    NamedUnit{"min", 60'000'000'000},
    NamedUnit{"h", 3'600'000'000'000},
    NamedUnit{"d", 86'400'000'000'000},
};

DurationFault to_duration_fault(NumberFault fault) {
  switch (fault) {
    case NumberFault::none:
      return DurationFault::none;
    case NumberFault::no_unit:
      return DurationFault::no_unit;
    case NumberFault::unknown_unit:
      return DurationFault::unknown_unit;
    case NumberFault::not_a_number:
      return DurationFault::not_a_number;
    case NumberFault::negative:
      return DurationFault::negative;
    case NumberFault::overflow:
      return DurationFault::overflow;
  }
  return DurationFault::not_a_number;
}

}  // namespace

ParsedDuration parse_duration(std::string_view text) {
  const auto number = parse_scaled_number(text, k_duration_units);
  if (number.value > static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds::rep>::max())) {
    return {Nanoseconds{0}, DurationFault::overflow};
  }
  return {Nanoseconds{static_cast<Nanoseconds::rep>(number.value)}, to_duration_fault(number.fault)};
}

std::string exact(Nanoseconds value) {
  if (value.count() == 0) return "0 s";
  std::size_t unit = 0;
  for (std::size_t i = 1; i < k_duration_units.size(); ++i) {
    if (value.count() % static_cast<Nanoseconds::rep>(k_duration_units[i].factor) == 0) unit = i;
  }
  const auto factor = static_cast<Nanoseconds::rep>(k_duration_units[unit].factor);
  return fmt::format("{} {}", value.count() / factor, k_duration_units[unit].name);
}

std::string clock_time(Seconds value) {
  if (!std::isfinite(value.count())) return "?";
  const double magnitude = std::abs(value.count());
  const char* sign = value.count() < 0 ? "-" : "";
  if (magnitude < 59.95) return fmt::format("{}{:.1f} s", sign, magnitude);
  const auto seconds = std::llround(magnitude);
  if (seconds < 3600) return fmt::format("{}{}:{:02}", sign, seconds / 60, seconds % 60);
  return fmt::format("{}{}:{:02}:{:02}", sign, seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace swaprig
