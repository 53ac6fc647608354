#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "run/rules.hpp"

namespace swaprig::run {

namespace {

std::string describe(const SwapLine& line) {
  return fmt::format("{} ({}, {} KiB, priority {})", printable_line(line.path), printable_line(line.type),
                     line.size_kib, line.priority);
}

std::string describe(const std::vector<SwapLine>& lines) {
  if (lines.empty()) return "none";
  std::vector<std::string> parts;
  for (const auto& line : lines) parts.push_back(describe(line));
  return join(parts, ", ");
}

/// mkswap and the kernel may round to their page.
constexpr std::int64_t k_page_kib = 4;

bool is_as_expected(const SwapLine& expected, const SwapLine& found) {
  const bool priority = expected.priority < 0 ? found.priority < 0 : found.priority == expected.priority;
  const bool size = std::abs(found.size_kib - expected.size_kib) <= k_page_kib;
  return found.path == expected.path && found.type == expected.type && size && priority;
}

bool has_path(const std::vector<SwapLine>& lines, const std::string& path) {
  return std::any_of(lines.begin(), lines.end(), [&](const SwapLine& line) { return line.path == path; });
}

void check_areas(const Evidence& evidence, const std::vector<SwapLine>& found, const char* when, Findings& findings) {
  if (found.empty() && !evidence.workload.started) return;  // not reached: another reason says why
  const auto difference = swap_difference(evidence.swaps_expected, found);
  if (!difference.empty()) findings.add("set-up not as planned", fmt::format("swap {}: {}", when, difference));
}

}  // namespace

std::string swap_difference(const std::vector<SwapLine>& expected, const std::vector<SwapLine>& found) {
  std::vector<std::string> differences;
  for (const auto& line : expected) {
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const SwapLine& other) { return other.path == line.path; });
    if (same == found.end()) {
      differences.push_back(fmt::format("{} is not on", describe(line)));
    } else if (!is_as_expected(line, *same)) {
      differences.push_back(fmt::format("{} is on instead of {}", describe(*same), describe(line)));
    }
  }
  for (const auto& line : found) {
    if (!has_path(expected, line.path)) differences.push_back(fmt::format("foreign swap {} is on", describe(line)));
  }
  return join(differences, "; ");
}

void check_set_up(const Evidence& evidence, Findings& findings) {
  if (!evidence.swaps_at_boot.empty()) {
    findings.add("set-up not as planned",
                 fmt::format("the image brings its own swap: {} is on after boot; take it out of the image (fstab, "
                             "zram-generator, GPT auto-discovery)",
                             describe(evidence.swaps_at_boot)));
  }
  for (const auto& reading : evidence.read_backs) {
    if (reading.holds) continue;
    findings.add("set-up not as planned", fmt::format("{}: wanted {}, found {}", printable_line(reading.what),
                                                      printable_line(reading.wanted), printable_line(reading.found)));
  }
  check_areas(evidence, evidence.swaps_placed, "after placing", findings);
  check_areas(evidence, evidence.swaps_settled, "after settling", findings);
}

}  // namespace swaprig::run
