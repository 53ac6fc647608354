#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "run/readings.hpp"
#include "run/record.hpp"
#include "run/rules.hpp"

namespace swaprig::run {

namespace {

constexpr double k_clock_share = 0.01;
constexpr double k_clock_seconds = 0.2;

/// What the kernel and the firmware keep for themselves, and the kernel's records of every page. Debian's 6.1 kept 50 MiB
/// of 160 MiB and 53 MiB of 384 MiB.
constexpr double k_reserved_share = 0.03;
constexpr std::int64_t k_reserved_kib = std::int64_t{64} << 10U;

constexpr std::size_t k_shown_messages = 3;

/// Words of the kernel (block/blk-core.c, fs/buffer.c, mm/page_io.c, fs/ext4/super.c and others).
constexpr std::array<std::string_view, 8> k_error_words{
    "I/O error, dev ", "Buffer I/O error",      "Read-error on swap-device", "Write-error on swap-device",
    "EXT4-fs error",   "critical medium error", "critical target error",     "lost async page write"};

bool is_error(const std::string& message) {
  return std::any_of(k_error_words.begin(), k_error_words.end(),
                     [&](std::string_view words) { return message.find(words) != std::string::npos; });
}

void check_messages(const Evidence& evidence, Findings& findings) {
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (const auto& message : evidence.kernel_messages) {
    if (!is_error(message)) continue;
    if (++count <= k_shown_messages) shown.push_back(printable_line(message));
  }
  if (count == 0) return;
  findings.add("new I/O errors", fmt::format("{} message(s) of the guest's kernel in the window: {}{}", count,
                                             join(shown, "; "), count > shown.size() ? "; ..." : ""));
}

void check_swap_areas(const Evidence& evidence, const GuestMoment& moment, const char* when, Findings& findings) {
  const auto difference = swap_difference(evidence.swaps_expected, moment.swaps);
  if (difference.empty()) return;
  const bool foreign = difference.find("foreign swap ") != std::string::npos;
  findings.add(foreign ? "foreign swap" : "swap areas changed", fmt::format("{} the workload: {}", when, difference));
}

void check_memory(const Evidence& evidence, Findings& findings) {
  const auto total = value_of(evidence.guest_before.meminfo_kib, "MemTotal");
  if (!total) return;  // "readings missing"
  const auto planned = evidence.memory_bytes / 1024;
  const auto reserved = k_reserved_kib + static_cast<std::int64_t>(k_reserved_share * static_cast<double>(planned));
  if (*total <= planned && *total >= planned - reserved) return;
  findings.add("memory not as planned",
               fmt::format("the guest has {} in all (MemTotal), planned were {}",
                           rounded(kib(static_cast<std::uint64_t>(std::max<std::int64_t>(*total, 0)))),
                           exact(Bytes{static_cast<std::uint64_t>(evidence.memory_bytes)})));
}

void check_clocks(const Evidence& evidence, Findings& findings) {
  if (evidence.guest_before.clocksource != evidence.guest_after.clocksource) {
    findings.add("clocksource changed",
                 fmt::format("{} before, {} after the workload", printable_line(evidence.guest_before.clocksource),
                             printable_line(evidence.guest_after.clocksource)));
  }
  const auto host = host_wall_seconds(evidence);
  if (!host) return;  // "readings missing"
  const auto guest = static_cast<double>(evidence.workload.wall_ns) / 1e9;
  const auto allowed = std::max(k_clock_share * *host, k_clock_seconds);
  if (std::abs(guest - *host) <= allowed) return;
  findings.add("clocks disagree", fmt::format("{:.3f} s on the guest's clock, {:.3f} s on the host's; {:.3f} s allowed",
                                              guest, *host, allowed));
}

}  // namespace

void check_guest(const Evidence& evidence, Findings& findings) {
  check_swap_areas(evidence, evidence.guest_before, "before", findings);
  check_swap_areas(evidence, evidence.guest_after, "after", findings);
  check_memory(evidence, findings);
  check_messages(evidence, findings);
  if (!evidence.idle_reached) {
    findings.add("drives not idle",
                 fmt::format("the drives were still busy after {:.1f} s", evidence.idle_wait_seconds));
  }
  check_clocks(evidence, findings);
}

}  // namespace swaprig::run
