#include "guest/swap_placer.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "guest/probe_commands.hpp"
#include "guest/swap_table.hpp"

namespace swaprig::guest {

namespace {

/// Large files on slow drives under emulation, and swapoff of a full area, take their time.
constexpr std::chrono::hours k_step_timeout{2};
constexpr const char* k_failed = "set-up failed";
constexpr const char* k_not_as_planned = "set-up not as planned";

bool is_switching_on(const spec::PlacementStep& step) {
  return !step.command.empty() && step.command.front() == "swapon";
}

bool says_unsupported(const spec::PlacementStep& step, const std::string& words) {
  const auto text = trim(words);
  return std::any_of(step.unsupported_if.begin(), step.unsupported_if.end(),
                     [&](const std::string& end) { return text.ends_with(end); });
}

PlacedArea whole_partition(PlacedArea area, const FoundDrive& drive) {
  for (const auto& partition : drive.partitions) {
    if (partition.device != area.block_device) continue;
    area.extents = {{drive.drive.drive, partition.offset_bytes, partition.size_bytes}};
  }
  if (drive.drive.device == area.block_device) area.extents = {{drive.drive.drive, 0, drive.drive.size_bytes}};
  return area;
}

std::int64_t offset_of(const FoundDrive& drive, const std::string& block_device) {
  for (const auto& partition : drive.partitions) {
    if (partition.device == block_device) return partition.offset_bytes;
  }
  return 0;
}

}  // namespace

std::vector<PlannedSwap> plan_swap(const std::vector<spec::SwapArea>& areas, const spec::GuestPaths& paths) {
  std::vector<PlannedSwap> plan;
  for (const auto& area : areas) {
    const auto& kind = spec::placement_kind(area.kind);
    plan.push_back({area, kind.place(area, paths), kind.expected(area, paths)});
  }
  return plan;
}

double SwapPlacer::run(const spec::PlacementStep& step, const std::string& path) {
  const auto result = run_step(m_agent, step.command, k_step_timeout);
  if (result.status == 0) return result.duration.count();
  const auto text =
      step.what + " " + path + ": " + join(step.command, " ") +
      (result.timed_out ? " did not finish in time"
                        : " ended with " + std::to_string(result.status) + ": " + printable_line(trim(result.words)));
  if (says_unsupported(step, result.words)) throw Unsupported(text);
  throw SetupFailure(k_failed, text);
}

Placed SwapPlacer::place(const GuestFacts& facts) {
  Placed placed;
  for (const auto& planned : m_plan) {
    for (const auto& step : planned.steps) {
      placed.steps.push_back({step.what + ": " + planned.expected.path, run(step, planned.expected.path)});
    }
  }
  placed.swaps = check_swaps();
  for (const auto& planned : m_plan) placed.areas.push_back(locate(planned, facts));
  return placed;
}

std::vector<SwapLine> SwapPlacer::reset() {
  switch_off();
  for (const auto& planned : m_plan) {
    for (const auto& step : planned.steps) {
      if (is_switching_on(step)) run(step, planned.expected.path);
    }
  }
  return check_swaps();
}

double SwapPlacer::switch_off() {
  double seconds = 0;
  for (const auto& planned : m_plan) {
    const auto& path = planned.expected.path;
    seconds += run({"switch the swap area off", {"swapoff", path}, {}}, path);
  }
  return seconds;
}

std::vector<SwapLine> SwapPlacer::read_swaps() { return parse_swaps(m_agent.read_file("/proc/swaps", kib(64))); }

std::vector<SwapLine> SwapPlacer::expected_lines() const {
  std::vector<SwapLine> lines;
  for (const auto& planned : m_plan) lines.push_back(expected_line(planned.expected));
  return lines;
}

std::vector<SwapLine> SwapPlacer::check_swaps() {
  std::vector<spec::ExpectedSwap> expected;
  for (const auto& planned : m_plan) expected.push_back(planned.expected);
  auto swaps = read_swaps();
  if (const auto difference = swap_difference(expected, swaps); !difference.empty()) {
    throw SetupFailure(k_not_as_planned, "swap is not as planned: " + difference);
  }
  return swaps;
}

PlacedArea SwapPlacer::locate(const PlannedSwap& planned, const GuestFacts& facts) {
  constexpr std::string_view k_devices = "/dev/";
  PlacedArea area;
  area.kind = planned.area.kind;
  area.path = planned.expected.path;
  area.own_block_device = planned.expected.type == "partition";
  if (area.own_block_device) {
    if (area.path.starts_with(k_devices)) area.block_device = area.path.substr(k_devices.size());
    const auto* const drive = facts.holding(area.block_device);
    return drive != nullptr ? whole_partition(std::move(area), *drive) : area;
  }
  const auto extents = read_extents(m_agent, area.path);
  area.block_device = extents.block_device;
  const auto* const drive = facts.holding(area.block_device);
  if (drive == nullptr) throw AgentError("the guest's facts know no block device " + printable_line(area.block_device));
  for (const auto& [offset, size] : extents.ranges) {
    area.extents.push_back({drive->drive.drive, offset_of(*drive, area.block_device) + offset, size});
  }
  return area;
}

}  // namespace swaprig::guest
