#include "base/scaled_number.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"

namespace swaprig {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

/// False when the digits do not fit.
bool to_number(std::string_view digits, std::uint64_t& value) {
  value = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value)) return false;
    if (__builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value)) return false;
  }
  return true;
}

/// `0.digits` times the factor; false when that is not whole. 18 digits are enough for one byte of an exabyte.
bool scale_fraction(std::string_view digits, std::uint64_t factor, std::uint64_t& value) {
  while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1);
  std::uint64_t numerator = 0;
  if (digits.size() > 18 || !to_number(digits, numerator)) return false;
  std::uint64_t denominator = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) denominator *= 10;
  const std::uint64_t common = std::gcd(factor, denominator);
  if (numerator % (denominator / common) != 0) return false;
  value = numerator / (denominator / common) * (factor / common);
  return true;
}

}  // namespace

ScaledNumber parse_scaled_number(std::string_view text, std::span<const NamedUnit> units) {
  text = trim(text);
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const auto whole_digits = take_digits(text);
  std::string_view fraction_digits;
  if (whole_digits.empty()) return {0, NumberFault::not_a_number};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction_digits = take_digits(text);
    if (fraction_digits.empty()) return {0, NumberFault::not_a_number};
  }
  if (minus) return {0, NumberFault::negative};

  text = trim(text);
  if (text.empty()) return {0, NumberFault::no_unit};
  const auto unit = std::find_if(units.begin(), units.end(), [&](const NamedUnit& u) { return u.name == text; });
  if (unit == units.end()) return {0, NumberFault::unknown_unit};

  std::uint64_t value = 0;
  std::uint64_t fraction = 0;
  if (!to_number(whole_digits, value)) return {0, NumberFault::overflow};
  if (!scale_fraction(fraction_digits, unit->factor, fraction)) return {0, NumberFault::not_a_number};
  if (__builtin_mul_overflow(value, unit->factor, &value) || __builtin_add_overflow(value, fraction, &value)) {
    return {0, NumberFault::overflow};
  }
  return {value, NumberFault::none};
}

}  // namespace swaprig
