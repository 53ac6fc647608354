#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "run/readings.hpp"
#include "run/rules.hpp"

namespace swaprig::run {

namespace {

using Missing = std::vector<std::string>;

void need_guest(const Evidence& evidence, const GuestMoment& moment, const char* when, Missing& missing) {
  for (const char* counter : {"pswpin", "pswpout"}) {
    if (!value_of(moment.vmstat, counter)) missing.push_back(fmt::format("the guest's {} {}", counter, when));
  }
  if (moment.clocksource.empty()) missing.push_back(fmt::format("the guest's clocksource {}", when));
  for (const auto& area : evidence.areas) {
    if (disk_of(moment, area.block_device) != nullptr) continue;
    missing.push_back(fmt::format("disk statistics of {} {}", printable_line(area.block_device), when));
  }
}

bool is_proven(const Evidence& evidence, const std::string& drive) {
  return std::any_of(evidence.direct_io.begin(), evidence.direct_io.end(),
                     [&](const DirectIoProof& proof) { return proof.drive == drive; });
}

bool is_simulated(const Evidence& evidence, const std::string& drive) {
  return std::any_of(evidence.direct_io.begin(), evidence.direct_io.end(), [&](const DirectIoProof& proof) {
    return proof.drive == drive && proof.result == DirectIo::simulated;
  });
}

void need_host(const Evidence& evidence, Missing& missing) {
  if (evidence.host_before.drives.empty()) missing.emplace_back("the host's drives before");
  if (evidence.host_after.drives.empty()) missing.emplace_back("the host's drives after");
  for (const auto& drive : evidence.host_before.drives) {
    const auto name = printable_line(drive.drive);
    if (drive_of(evidence.host_after, drive.drive) == nullptr) missing.push_back(fmt::format("drive {} after", name));
    const auto* later = drive_of(evidence.host_after, drive.drive);
    if (is_simulated(evidence, drive.drive) && (!drive.simulated || later == nullptr || !later->simulated)) {
      missing.push_back(fmt::format("the counters of the simulated drive {}", name));
    }
    if (!is_proven(evidence, drive.drive)) missing.push_back(fmt::format("how QEMU opened drive {}", name));
  }
}

}  // namespace

void check_readings(const Evidence& evidence, Findings& findings) {
  Missing missing;
  need_guest(evidence, evidence.guest_before, "before", missing);
  need_guest(evidence, evidence.guest_after, "after", missing);
  if (!value_of(evidence.guest_before.meminfo_kib, "MemTotal")) missing.emplace_back("the guest's MemTotal before");
  if (!evidence.swaps_expected.empty() && evidence.areas.empty()) missing.emplace_back("where the swap areas lie");
  if (!evidence.host_window_ns) missing.emplace_back("the host's time of the window");
  need_host(evidence, missing);
  if (!missing.empty()) findings.add("readings missing", join(missing, ", "));
}

}  // namespace swaprig::run
