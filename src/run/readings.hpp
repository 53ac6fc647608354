#pragma once

// Small questions to evidence, and figures for the judge's words; a missing reading is nothing, never 0.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "run/evidence.hpp"

namespace swaprig::run {

inline constexpr std::int64_t k_mib = std::int64_t{1} << 20U;

/// For people; a count below 0, which no counter has, shows as 0.
inline std::string shown(std::int64_t bytes) {
  return rounded(Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0))});
}

inline std::optional<std::int64_t> value_of(const Counters& counters, const std::string& name) {
  const auto found = counters.find(name);
  return found == counters.end() ? std::nullopt : std::optional(found->second);
}

/// How much a counter of /proc/vmstat grew in the window.
inline std::optional<std::int64_t> vmstat_growth(const Evidence& evidence, const std::string& name) {
  const auto before = value_of(evidence.guest_before.vmstat, name);
  const auto after = value_of(evidence.guest_after.vmstat, name);
  if (!before || !after) return std::nullopt;
  return *after - *before;
}

inline const DiskStat* disk_of(const GuestMoment& moment, const std::string& device) {
  const auto found = std::find_if(moment.disks.begin(), moment.disks.end(),
                                  [&](const DiskStat& disk) { return disk.device == device; });
  return found == moment.disks.end() ? nullptr : &*found;
}

inline const HostDrive* drive_of(const HostMoment& moment, const std::string& name) {
  const auto found = std::find_if(moment.drives.begin(), moment.drives.end(),
                                  [&](const HostDrive& drive) { return drive.drive == name; });
  return found == moment.drives.end() ? nullptr : &*found;
}

}  // namespace swaprig::run
