#pragma once

#include <cstddef>
#include <string_view>

namespace swaprig {

/// One character of a text, or one broken byte.
struct Utf8Character {
  char32_t code = 0;
  std::size_t length = 1;  ///< in bytes; 1 for a broken byte
  bool valid = false;
};

constexpr bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// The first character of a text that is not empty. Overlong forms, surrogates and what lies beyond
/// U+10FFFF are broken.
constexpr Utf8Character next_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  char32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_utf8_continuation(text[i])) return {};
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, length, true};
}

}  // namespace swaprig
