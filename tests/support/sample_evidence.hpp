#pragma once

#include "run/evidence.hpp"

namespace swaprig::testing {

/// The evidence of a valid run: a 256 MiB guest with one swap partition on a file drive, 80 MiB swapped out and 64 MiB
/// in, 10.0 s of workload. A test breaks one thing of it.
inline run::Evidence valid_evidence() {
  run::Evidence e;
  e.expect_swap = true;
  e.memory_bytes = std::int64_t{256} << 20U;
  e.min_swap_bytes = std::int64_t{256} * 1024 * 1024 / 10;
  e.planned_swap = {"partition hdd.swap-start, 512 MiB"};
  e.workload_kind = "memory";
  e.acceleration = "tcg";
  e.versions = "QEMU 7.2.22, libvirt 9.0.0";
  e.host_kernel = "6.1.0-57-amd64";
  e.guest_kernel = "6.1.0-57-amd64";
  e.kernel_command_line = "console=ttyS0 quiet";
  e.image_digest = "0123abcd";
  e.read_backs = {{"vm.swappiness", "60", "60", true}};
  e.swaps_expected = {{"/dev/vda1", "partition", 524284, 0, -2}};
  e.swaps_placed = {{"/dev/vda1", "partition", 524284, 0, -2}};
  e.swaps_settled = {{"/dev/vda1", "partition", 524284, 0, -3}};
  e.areas = {{"partition", "/dev/vda1", {{"hdd", 1 << 20, 512 << 20}}, "vda1", true}};
  e.guest_drives = {{"hdd", "vda", "sr-0123abcd-hdd", std::int64_t{4} << 30U, true, "mq-deadline", 128, 512, 4096}};
  e.guest_settings = {{"vm.page-cluster", "3"}, {"zswap", "N"}};
  e.root_data = {{"hdd", 600 << 20, 170 << 20}};
  e.direct_io = {{"hdd", run::DirectIo::yes, true, true}};
  e.idle_wait_seconds = 1.5;

  e.guest_before.vmstat = {{"pswpin", 100}, {"pswpout", 200}, {"oom_kill", 0}};
  e.guest_before.meminfo_kib = {{"MemTotal", 220000}, {"MemAvailable", 170000}};
  e.guest_before.disks = {{"vda1", 40, 160000, 10, 0, 0, 0, 10}};
  e.guest_before.swaps = {{"/dev/vda1", "partition", 524284, 0, -3}};
  e.guest_before.pressure_us = {{"memory.some", 1000}};
  e.guest_before.clocksource = "tsc";
  e.guest_after = e.guest_before;
  e.guest_after.vmstat = {{"pswpin", 100 + 16384}, {"pswpout", 200 + 20480}, {"oom_kill", 0}};
  e.guest_after.disks = {
      {"vda1", 3540, 160000 + (std::int64_t{64} << 20U), 900, 1200, std::int64_t{80} << 20U, 800, 1600}};
  e.guest_after.swaps = {{"/dev/vda1", "partition", 524284, 60000, -3}};

  e.host_before.drives = {{"hdd", 0, std::int64_t{4} << 30U, 1000, 10, 2000, 20, 5000, 6000, 0, 0, {}}};
  e.host_before.qemu_resident_kib = 700000;
  e.host_before.transparent_hugepage = "madvise";
  e.host_after = e.host_before;
  e.host_after.drives[0].read_bytes += std::int64_t{64} << 20U;
  e.host_after.drives[0].written_bytes += std::int64_t{80} << 20U;
  e.host_window_ns = 10'050'000'000;
  e.sampler_us = 41'000;

  e.samples = {{0, 170000, 0, 100, 200, 1000, 0, 0, 0}, {1000, 90000, 30000, 4000, 9000, 80000, 30000, 500, 300}};
  e.workload.started = true;
  e.workload.finished = true;
  e.workload.wall_ns = 10'000'000'000;
  e.workload.user_us = 4'000'000;
  e.workload.system_us = 2'500'000;
  e.workload.major_faults = 3500;
  e.workload.peak_resident_kib = 190000;
  e.workload.peak_memory_kib = 310000;
  e.workload.output_tail = "touched 76800 pages\n";
  e.phases = {{"boot", 8.25}, {"workload", 10.0}};
  e.swapoff_seconds = 0.5;
  return e;
}

}  // namespace swaprig::testing
