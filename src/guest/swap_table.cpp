#include "guest/swap_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "guest/guest_agent.hpp"
#include "guest/numbers.hpp"

namespace swaprig::guest {

namespace {

constexpr std::size_t k_most_areas = 64;  // the kernel's own bound is half of it
constexpr std::int64_t k_page_kib = 4;

/// The kernel writes space, tab, newline and backslash as \ and three octal digits.
std::string unescape(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] <= '3' && octal(text[i + 1]) && octal(text[i + 2]) &&
        octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

[[noreturn]] void broken(std::string_view line) {
  throw AgentError("/proc/swaps of the guest has a line of another form: " + printable_line(line));
}

SwapLine parse_line(const std::string& line) {
  const auto words = split_words(line);
  if (words.size() != 5) broken(line);
  const auto size = to_integer(words[2]);
  const auto used = to_integer(words[3]);
  const auto priority = to_integer(words[4]);
  if (!size || !used || !priority || *size < 0 || *used < 0 || std::abs(*priority) > 32768) broken(line);
  return {unescape(words[0]), words[1], *size, *used, static_cast<int>(*priority)};
}

std::string describe(const SwapLine& line) {
  return fmt::format("{} ({}, {} KiB, priority {})", printable_line(line.path), printable_line(line.type),
                     line.size_kib, line.priority);
}

/// Empty when the line is as planned.
std::string compare(const spec::ExpectedSwap& expected, const SwapLine& found) {
  const auto wanted = expected_line(expected);
  if (found.type != wanted.type) return fmt::format("{} is a {}, planned: {}", found.path, found.type, wanted.type);
  if (std::abs(found.size_kib - wanted.size_kib) > k_page_kib) {
    return fmt::format("{} has {} KiB, planned: {} KiB", found.path, found.size_kib, wanted.size_kib);
  }
  if (expected.priority && found.priority != *expected.priority) {
    return fmt::format("{} has priority {}, planned: {}", found.path, found.priority, *expected.priority);
  }
  if (!expected.priority && found.priority >= 0) {
    return fmt::format("{} has priority {}, planned: the kernel's own", found.path, found.priority);
  }
  return {};
}

}  // namespace

std::vector<SwapLine> parse_swaps(std::string_view text) {
  std::vector<SwapLine> lines;
  bool header = true;
  for (const auto& line : split(text, '\n')) {
    if (trim(line).empty()) continue;
    if (header && !line.starts_with("Filename")) broken(line);
    if (!header) lines.push_back(parse_line(line));
    header = false;
    if (lines.size() > k_most_areas) throw AgentError("/proc/swaps of the guest has too many lines");
  }
  return lines;
}

SwapLine expected_line(const spec::ExpectedSwap& expected) {
  return {expected.path, expected.type, static_cast<std::int64_t>(expected.usable.count >> 10U), 0,
          expected.priority.value_or(-1)};
}

std::string swap_difference(const std::vector<spec::ExpectedSwap>& expected, const std::vector<SwapLine>& found) {
  std::vector<std::string> differences;
  int last_own_priority = 0;
  for (const auto& area : expected) {
    const auto line = std::find_if(found.begin(), found.end(), [&](const SwapLine& l) { return l.path == area.path; });
    if (line == found.end()) {
      differences.push_back(area.path + " is not on");
      continue;
    }
    if (auto difference = compare(area, *line); !difference.empty()) {
      differences.push_back(std::move(difference));
    } else if (!area.priority && line->priority >= last_own_priority) {
      differences.push_back(area.path + " is not behind the area before it");
    }
    if (!area.priority) last_own_priority = line->priority;
  }
  for (const auto& line : found) {
    const auto planned = [&](const spec::ExpectedSwap& area) { return area.path == line.path; };
    if (std::none_of(expected.begin(), expected.end(), planned)) {
      differences.push_back("foreign swap is on: " + describe(line));
    }
  }
  return join(differences, "; ");
}

}  // namespace swaprig::guest
