#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace swaprig {

/// A number of bytes, 0 to 2^64-1. Arithmetic that leaves the range asserts.
struct Bytes {
  std::uint64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
};

Bytes operator+(Bytes a, Bytes b);
Bytes operator-(Bytes a, Bytes b);
Bytes operator*(Bytes a, std::uint64_t factor);

constexpr Bytes kib(std::uint64_t n) { return Bytes{n << 10U}; }
constexpr Bytes mib(std::uint64_t n) { return Bytes{n << 20U}; }
constexpr Bytes gib(std::uint64_t n) { return Bytes{n << 30U}; }

/// Why a text is not a size; the caller turns it into a diagnostic.
enum class SizeFault { none, no_unit, unknown_unit, not_a_number, negative, overflow };

struct ParsedSize {
  Bytes bytes;
  SizeFault fault = SizeFault::none;
};

/// Reads "2 GiB", "512B", "1.5 MiB", "2 TB" (binary and decimal units, a space is optional).
/// A fraction has to come out as whole bytes, else `not_a_number`. Never throws.
ParsedSize parse_size(std::string_view text);

/// The largest binary unit that divides exactly ("4 GiB", "2000398934016 B").
std::string exact(Bytes bytes);

/// Three significant digits for people ("1.86 TiB"); never used where the value is read back.
std::string rounded(Bytes bytes);

}  // namespace swaprig
