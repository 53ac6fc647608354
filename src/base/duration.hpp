#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace swaprig {

using Seconds = std::chrono::duration<double>;
using Nanoseconds = std::chrono::nanoseconds;

enum class DurationFault { none, no_unit, unknown_unit, not_a_number, negative, overflow };

struct ParsedDuration {
  Nanoseconds value{0};
  DurationFault fault = DurationFault::none;
};

/// Reads "250 ms", "90 s", "3 h", "1.5 min" (ns, us, ms, s, min, h, d). Never throws.
ParsedDuration parse_duration(std::string_view text);

/// "3 h", "90 s", "250 ms": the largest unit that divides exactly.
std::string exact(Nanoseconds value);

/// As people say it: "28:21", "1:02:03" from a minute on, "4.2 s" below.
std::string clock_time(Seconds value);

}  // namespace swaprig
