#include "report/columns.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"

namespace swaprig::report {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15: blocks of combining marks and joiners, and of what UAX #11 calls wide. Coarse, enough to line up a table.
constexpr std::array k_no_width{
    Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd}, Range{0x0610, 0x061a}, Range{0x064b, 0x065f},
    Range{0x0e31, 0x0e31}, Range{0x0e34, 0x0e3a}, Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200f},
    Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}};
constexpr std::array k_wide{Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},
                            Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
                            Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f},
                            Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};

template <std::size_t N>
bool in(const std::array<Range, N>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

int width_of(char32_t code) {
  if (in(k_no_width, code)) return 0;
  return in(k_wide, code) ? 2 : 1;
}

std::string spaces(std::string_view text, int columns) {
  return std::string(static_cast<std::size_t>(std::max(0, columns - columns_of(text))), ' ');
}

}  // namespace

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const auto character = next_character(text);
    columns += width_of(character.code);
    text.remove_prefix(character.length);
  }
  return columns;
}

std::string shortened(std::string_view text, int columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::string_view rest = text;
  int used = 0;
  while (!rest.empty()) {
    const auto character = next_character(rest);
    used += width_of(character.code);
    if (used > columns - 1) break;
    rest.remove_prefix(character.length);
  }
  return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

std::string left_aligned(std::string_view text, int columns) { return std::string(text) + spaces(text, columns); }

std::string right_aligned(std::string_view text, int columns) { return spaces(text, columns) + std::string(text); }

}  // namespace swaprig::report
