#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "run/readings.hpp"
#include "run/rules.hpp"

namespace swaprig::run {

namespace {

constexpr std::int64_t k_cache_limit = k_mib;
constexpr std::int64_t k_allocation_limit = k_mib;
/// The host's own programs read files as well; what they read in a window is small against what swapping moves.
constexpr std::int64_t k_page_cache_limit = 64 * k_mib;

void check_cache(const HostMoment& moment, const char* when, Findings& findings) {
  for (const auto& drive : moment.drives) {
    if (drive.cached_bytes.value_or(0) <= k_cache_limit) continue;
    findings.add("host caching", fmt::format("the host caches {} of drive {} {} the workload",
                                             shown(*drive.cached_bytes), printable_line(drive.drive), when));
  }
}

void check_direct_io(const Evidence& evidence, Findings& findings) {
  for (const auto& proof : evidence.direct_io) {
    if (proof.neighbours_untouched == false) {
      findings.add("neighbours changed", fmt::format("what lies beside the partition of drive {} changed during the run",
                                                     printable_line(proof.drive)));
    }
    if (proof.result == DirectIo::yes || proof.result == DirectIo::simulated) continue;
    if (proof.loop_direct == false) {
      findings.add("host caching", fmt::format("the loop device of drive {} goes through the host's cache: attach it with "
                                               "losetup --direct-io=on",
                                               printable_line(proof.drive)));
      continue;
    }
    if (!proof.image_format.empty()) {
      findings.add("host caching", fmt::format("drive {} holds a disk image ({}), which is no drive",
                                               printable_line(proof.drive), printable_line(proof.image_format)));
      continue;
    }
    findings.add("host caching", fmt::format("drive {} is not proven to be open with O_DIRECT (descriptor {}, QEMU {})",
                                             printable_line(proof.drive), proof.descriptor_direct ? "yes" : "no",
                                             proof.monitor_direct ? "yes" : "no"));
  }
}

void check_drive(const HostDrive& before, const HostDrive& after, Findings& findings) {
  const auto name = printable_line(after.drive);
  const auto growth = after.allocated_bytes.value_or(0) - before.allocated_bytes.value_or(0);
  if (growth > k_allocation_limit || growth < -k_allocation_limit) {
    findings.add("host allocation",
                 fmt::format("the blocks that drive {} takes on the host {} by {} in the window", name,
                             growth > 0 ? "grew" : "shrank", shown(growth > 0 ? growth : -growth)));
  }
  const auto reads = after.failed_reads - before.failed_reads;
  const auto writes = after.failed_writes - before.failed_writes;
  if (reads != 0 || writes != 0) {
    findings.add("new I/O errors",
                 fmt::format("QEMU counted {} failed read(s) and {} failed write(s) on drive {}", reads, writes, name));
  }
}

/// Late time is the most that the simulation can have added to the workload's: below 5 % it is less than the noise of two
/// runs. Half a turn of a slow drive, 5 ms, late now and then would be another drive.
constexpr double k_late_share = 0.05;
constexpr std::int64_t k_late_p99_ns = 5'000'000;

/// The server has to have moved what QEMU says that it did, or the timing was not the model's. 2 % and 1 MiB: the two are
/// not read at the same moment.
void check_bytes(const std::string& name, const char* operation, std::int64_t by_qemu,
                 const drive::SimulatedCounters& grown, Findings& findings) {
  const auto found = grown.operations.find(operation);
  const auto by_server = found == grown.operations.end() ? 0 : found->second.bytes;
  const auto difference = by_qemu > by_server ? by_qemu - by_server : by_server - by_qemu;
  if (difference <= by_qemu / 50 + k_mib) return;
  findings.add("simulation disagrees", fmt::format("QEMU counts {} of {}s on the simulated drive {}, its server {}",
                                                   shown(by_qemu), operation, name, shown(by_server)));
}

void check_simulation(const HostDrive& before, const HostDrive& after, Findings& findings) {
  if (!before.simulated || !after.simulated) return;  // "readings missing", or no simulated drive
  const auto name = printable_line(after.drive);
  const auto grown = drive::difference(*before.simulated, *after.simulated);
  if (grown.vanished) findings.add("drive lost", fmt::format("the simulated drive {} vanished", name));
  check_bytes(name, "read", after.read_bytes - before.read_bytes, grown, findings);
  check_bytes(name, "write", after.written_bytes - before.written_bytes, grown, findings);
  if (grown.backing_full > 0) {
    findings.add("backing full", fmt::format("the host had no room for {} request(s) to the simulated drive {}",
                                             grown.backing_full, name));
  }
  if (grown.busy_ns == 0) return;  // a drive without delays has nothing to be late for
  const auto share = static_cast<double>(grown.late_ns) / static_cast<double>(std::max<std::int64_t>(grown.wall_ns, 1));
  const auto p99 = drive::quantile(grown.lateness, 0.99);
  if (share <= k_late_share && p99 <= k_late_p99_ns) return;
  findings.add("simulation late",
               fmt::format("drive {} had a request overdue by more than 100 us in {:.2f} % of the window, 99 % of the requests were at most "
                           "{:.1f} ms late; {:.0f} % and {} ms allowed",
                           name, 100 * share, static_cast<double>(p99) / 1e6, 100 * k_late_share,
                           k_late_p99_ns / 1'000'000));
}

/// Of drives that are not simulated; a simulated one's bytes may lie in memory, which the kernel counts as cache.
void check_page_cache(const Evidence& evidence, Findings& findings) {
  std::int64_t moved = 0;
  for (const auto& after : evidence.host_after.drives) {
    const auto* before = drive_of(evidence.host_before, after.drive);
    if (before == nullptr || after.simulated) return;
    moved += after.read_bytes - before->read_bytes + after.written_bytes - before->written_bytes;
  }
  const auto& before = evidence.host_before.page_cache_kib;
  const auto& after = evidence.host_after.page_cache_kib;
  if (!before || !after) return;  // evidence of an earlier version
  const auto growth = (*after - *before) * 1024;
  if (growth <= k_page_cache_limit || growth <= moved / 2) return;
  findings.add("host caching", fmt::format("the host's page cache grew by {} in the window, in which the drives moved {}",
                                           shown(growth), shown(moved)));
}

void check_swapping(const HostMoment& before, const HostMoment& after, Findings& findings) {
  const auto qemu = std::max(before.qemu_swapped_kib, after.qemu_swapped_kib);
  if (qemu > 0)
    findings.add("host swapped", fmt::format("{} of QEMU's memory are in the host's swap", shown(qemu * 1024)));
  const auto in = after.swap_in_pages - before.swap_in_pages;
  const auto out = after.swap_out_pages - before.swap_out_pages;
  if (in > 0 || out > 0) {
    findings.add("host swapped",
                 fmt::format("the host itself swapped {} page(s) in and {} out in the window", in, out));
  }
}

}  // namespace

void check_host(const Evidence& evidence, Findings& findings) {
  check_direct_io(evidence, findings);
  check_cache(evidence.host_before, "before", findings);
  check_cache(evidence.host_after, "after", findings);
  for (const auto& after : evidence.host_after.drives) {
    const auto* before = drive_of(evidence.host_before, after.drive);
    if (before == nullptr) continue;  // "readings missing"
    check_drive(*before, after, findings);
    check_simulation(*before, after, findings);
  }
  check_page_cache(evidence, findings);
  check_swapping(evidence.host_before, evidence.host_after, findings);
}

}  // namespace swaprig::run
