#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "run/readings.hpp"
#include "run/record.hpp"
#include "run/rules.hpp"
#include "spec/creation.hpp"

namespace swaprig::run {

namespace {

constexpr std::int64_t k_page = 4096;

/// One direction of traffic, in bytes.
struct Direction {
  const char* name;
  std::int64_t swapped = 0;  ///< 4096 x pswpin or pswpout
  std::int64_t own = 0;      ///< at block devices that hold nothing but swap areas
  std::int64_t shared = 0;   ///< at block devices that hold a file system as well
};

/// 5 % and 1 MiB: swap headers, and pages counted on one side of the window's edge.
std::int64_t tolerance(std::int64_t bytes) { return bytes / 20 + k_mib; }

std::string disagreement(const Direction& direction, bool any_shared) {
  const auto slack = tolerance(direction.swapped);
  const auto at_devices = direction.own + direction.shared;
  if (direction.own <= direction.swapped + slack && at_devices >= direction.swapped - slack) return "";
  return fmt::format("swapped {} {}, but {} at the areas' block devices{}", direction.name, shown(direction.swapped),
                     shown(at_devices), any_shared ? " (files on them included)" : "");
}

void check_place(const Evidence& evidence, std::int64_t in_bytes, std::int64_t out_bytes, Findings& findings) {
  Direction in{"in", in_bytes};
  Direction out{"out", out_bytes};
  std::set<std::string> devices;
  bool any_shared = false;
  for (const auto& area : evidence.areas) {
    if (!devices.insert(area.block_device).second) continue;
    const auto* before = disk_of(evidence.guest_before, area.block_device);
    const auto* after = disk_of(evidence.guest_after, area.block_device);
    if (before == nullptr || after == nullptr) return;  // "readings missing"
    any_shared = any_shared || !area.own_block_device;
    (area.own_block_device ? in.own : in.shared) += after->read_bytes - before->read_bytes;
    (area.own_block_device ? out.own : out.shared) += after->written_bytes - before->written_bytes;
  }
  for (const auto& direction : {in, out}) {
    if (auto text = disagreement(direction, any_shared); !text.empty())
      findings.add("swap went elsewhere", std::move(text));
  }
}

}  // namespace

void check_traffic(const Evidence& evidence, Findings& findings) {
  const auto in = swap_in_pages(evidence);
  const auto out = swap_out_pages(evidence);
  if (!in || !out) return;  // "readings missing"
  const auto in_bytes = *in * k_page;
  const auto out_bytes = *out * k_page;
  const auto figures = fmt::format("swapped in {}, out {}", shown(in_bytes), shown(out_bytes));

  if (evidence.expect_swap) {
    const auto least = std::max<std::int64_t>(evidence.min_swap_bytes, 1);
    if (in_bytes < least || out_bytes < least) {
      findings.add("no swap traffic", fmt::format("{}; at least {} each way expected", figures, shown(least)));
    }
  }
  // What the kernel puts into a swap file while that is tried out is no traffic of the scenario's.
  if (evidence.workload_kind == spec::k_swapfile_creation) return;
  if (evidence.swaps_expected.empty()) {
    if (in_bytes != 0 || out_bytes != 0)
      findings.add("swap where none is meant", figures + "; the scenario has no swap");
    return;
  }
  if (evidence.areas.empty()) return;  // "readings missing"
  check_place(evidence, in_bytes, out_bytes, findings);
}

}  // namespace swaprig::run
