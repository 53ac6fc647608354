#pragma once

#include "drive/test_drive.hpp"
#include "support/sample_subject.hpp"

namespace swaprig::testing {

/// The profile of a drive with an arm.
inline spec::SimulatedBacking sample_hdd_backing(double time_scale = 1) {
  spec::SimulatedBacking backing;
  backing.wanted = "some-hdd";
  backing.profile.name = "some-hdd";
  backing.profile.title = "Some HDD";
  backing.profile.parameters.kind = simdrive::DriveKind::hdd;
  backing.profile.parameters.size = std::uint64_t{16} << 30U;
  backing.profile.parameters.hdd.rpm = 5400;
  backing.time_scale = time_scale;
  return backing;
}

/// The profile of a drive without one.
inline spec::SimulatedBacking sample_ssd_backing() {
  spec::SimulatedBacking backing;
  backing.wanted = "some-ssd";
  backing.profile.name = "some-ssd";
  backing.profile.title = "Some SSD";
  backing.profile.parameters.kind = simdrive::DriveKind::ssd;
  backing.profile.parameters.size = std::uint64_t{2} << 30U;
  return backing;
}

/// What the server of the sample's HDD had done when a workload began: 20 s up, 1 s busy.
inline drive::SimulatedCounters hdd_counters_before() {
  drive::SimulatedCounters c;
  c.wall_ns = 20'000'000'000;
  c.operations = {{"read", {100, 1 << 20, 500'000'000, {}, {}}}, {"write", {10, 1 << 16, 20'000'000, {}, {}}}};
  c.busy_ns = 1'000'000'000;
  c.seek_ns = 400'000'000;
  c.rotation_ns = 500'000'000;
  c.transfer_ns = 100'000'000;
  c.queue_ns = 50'000'000;
  c.read_hits = 30;
  c.read_partial_hits = 5;
  c.write_hits = 10;
  c.arm_reads = 70;
  c.arm_writes = 8;
  c.distance_strokes = 2;
  c.regions = {{"root", 110, 1 << 20, 1 << 16, 1'000'000'000}};
  c.crossings = {{"root", "root", 77, 390'000'000, 480'000'000}, {"root", "swap-start", 1, 10'000'000, 20'000'000}};
  c.delivered = 110;
  c.realtime = true;
  c.late_ns = 1'000'000;
  c.lateness = {{0, 100}, {50'000, 10}};
  c.starvation_ns = 2'000'000;
  return c;
}

/// The same after a workload of the sample that swaps to `region`. Grown by: 100 s of wall, 40 s busy with 12 s seek,
/// 20 s rotation and 8 s transfer, 6 s queue; 2000 reads, 1000 of them from the buffer and 40 partly; 1000 writes, 900
/// into the buffer; 1600 operations of the arm over 80 strokes; 200 moves from and 100 to the file system, which cost
/// 3 + 1.5 s seek and 2 + 1 s rotation (a file system in "root" and in parts without a name); 3000 requests, of which
/// 30 were 2 ms late and the others less; 1.5 s late, 0.25 s without a CPU, 300 limited by the floor.
inline drive::SimulatedCounters hdd_counters_after(const std::string& region) {
  auto c = hdd_counters_before();
  c.wall_ns += 100'000'000'000;
  c.operations["read"].requests += 2000;
  c.operations["write"].requests += 1000;
  c.busy_ns += 40'000'000'000;
  c.seek_ns += 12'000'000'000;
  c.rotation_ns += 20'000'000'000;
  c.transfer_ns += 8'000'000'000;
  c.queue_ns += 6'000'000'000;
  c.read_hits += 1000;
  c.read_partial_hits += 40;
  c.write_hits += 900;
  c.arm_reads += 960;
  c.arm_writes += 640;
  c.distance_strokes += 80;
  c.crossings[0].moves += 100;
  c.crossings[0].seek_ns += 500'000'000;
  c.crossings[0].rotation_ns += 700'000'000;
  c.crossings.push_back({region, region, 1200, 7'000'000'000, 16'300'000'000});
  c.crossings.push_back({region, "root", 200, 3'000'000'000, 2'000'000'000});
  c.crossings.push_back({"other", region, 100, 1'500'000'000, 1'000'000'000});
  c.delivered += 3000;
  c.late_ns += 1'500'000'000;
  c.lateness = {{0, 2570}, {50'000, 510}, {2'000'000, 30}};
  c.starvation_ns += 250'000'000;
  c.floor_limited += 300;
  return c;
}

/// Grown by these per cents of what `hdd_counters_after` says, for a slower place: times and moves, not the wall.
inline drive::SimulatedCounters hdd_counters_slower(const std::string& region, int seek, int rotation, int transfer) {
  auto c = hdd_counters_after(region);
  const auto before = hdd_counters_before();
  const auto more = [](std::int64_t from, std::int64_t to, int per_cent) { return to + (to - from) * per_cent / 100; };
  c.seek_ns = more(before.seek_ns, c.seek_ns, seek);
  c.rotation_ns = more(before.rotation_ns, c.rotation_ns, rotation);
  c.transfer_ns = more(before.transfer_ns, c.transfer_ns, transfer);
  c.busy_ns = c.seek_ns + c.rotation_ns + c.transfer_ns;
  return c;
}

/// An SSD in the same window: 3 s busy, 4000 requests, 2400 of them limited by the floor.
inline drive::SimulatedCounters ssd_counters_after() {
  drive::SimulatedCounters c;
  c.wall_ns = 100'000'000'000;
  c.operations = {{"read", {2500, std::int64_t{300} << 20U, 600'000'000, {}, {}}},
                  {"write", {1500, std::int64_t{350} << 20U, 400'000'000, {}, {}}}};
  c.busy_ns = 3'000'000'000;
  c.transfer_ns = 1'000'000'000;
  c.delivered = 4000;
  c.lateness = {{0, 4000}};
  c.realtime = true;
  c.floor_limited = 2400;
  return c;
}

/// The readings of a run on the simulated drives of the sample.
inline void give_simulated_readings(run::RunRecord& run, const spec::Scenario& scenario) {
  auto& e = run.evidence;
  e.guest_drives = {
      {"hdd", "sda", "sr-1-hdd", std::int64_t{16} << 30U, true, "mq-deadline", 128, 512, 4096},
      {"nvme", "sdb", "sr-1-nvme", std::int64_t{2} << 30U, false, "none", 128, 512, 512},
  };
  e.direct_io = {{"hdd", run::DirectIo::simulated, false, false}, {"nvme", run::DirectIo::simulated, false, false}};
  // 2000 reads of 10 s and 1000 writes of 5 s: 5 ms each, as the guest saw them.
  e.guest_before.disks = {{"sda", 100, 1 << 20, 400, 10, 1 << 16, 20, 300}, {"sdb", 0, 0, 0, 0, 0, 0, 0}};
  e.guest_after.disks = {{"sda", 2100, (1 << 20) + (std::int64_t{320} << 20U), 10'400, 1010,
                          (1 << 16) + (std::int64_t{365} << 20U), 5'020, 40'000},
                         {"sdb", 0, 0, 0, 0, 0, 0, 0}};
  e.guest_before.pressure_us = {{"memory.some", 1000}, {"memory.full", 500}};
  e.guest_after.pressure_us = {{"memory.some", 62'501'000}, {"memory.full", 58'000'500}};
  e.guest_before.meminfo_kib = {{"MemTotal", 220'000}, {"MemAvailable", 170'000}};
  // As QEMU saw them: 2000 reads of 8 s, 1000 writes of 2.5 s.
  e.host_before.drives = {{"hdd", {}, {}, 1000, 10, 2000, 20, 5000, 6000, 0, 0, hdd_counters_before()},
                          {"nvme", {}, {}, 0, 0, 0, 0, 0, 0, 0, 0, drive::SimulatedCounters{}}};
  e.host_after.drives = e.host_before.drives;
  auto& hdd = e.host_after.drives[0];
  auto& nvme = e.host_after.drives[1];
  const bool on_nvme = !scenario.swap.empty() && scenario.swap.front().where.drive == "nvme";
  if (scenario.swap.empty() || on_nvme) {
    hdd.simulated->wall_ns += 100'000'000'000;
    e.guest_after.disks[0] = e.guest_before.disks[0];
    if (scenario.swap.empty()) {
      e.guest_after.pressure_us = e.guest_before.pressure_us;
      return;
    }
    e.guest_after.disks[1] = {"sdb", 2500, std::int64_t{320} << 20U, 2500, 1500, std::int64_t{365} << 20U, 3000, 4000};
    nvme.read_requests = 2500;
    nvme.read_bytes = std::int64_t{320} << 20U;
    nvme.read_ns = 1'000'000'000;
    nvme.write_requests = 1500;
    nvme.written_bytes = std::int64_t{365} << 20U;
    nvme.write_ns = 750'000'000;
    nvme.simulated = ssd_counters_after();
    return;
  }
  hdd.read_requests += 2000;
  hdd.read_bytes += std::int64_t{320} << 20U;
  hdd.read_ns += 8'000'000'000;
  hdd.write_requests += 1000;
  hdd.written_bytes += std::int64_t{365} << 20U;
  hdd.write_ns += 2'500'000'000;
  const auto& area = scenario.swap.front();
  const auto region = area.kind == "partition" ? area.where.partition : std::string(drive::k_swap_files);
  hdd.simulated = region == "swap-end" ? hdd_counters_slower(region, 50, 10, 100) : hdd_counters_after(region);
}

/// The sample's experiment on simulated drives: “hdd” with an arm, “nvme” without.
inline report::Subject sample_simulated_subject(int blocks = 2, double time_scale = 1) {
  auto subject = sample_subject(blocks);
  subject.experiment.drives[0].backing = sample_hdd_backing(time_scale);
  subject.experiment.drives[1].backing = sample_ssd_backing();
  for (auto& run : subject.runs) {
    give_simulated_readings(run, subject.experiment.scenario(run.scenario));
    for (auto* moment : {&run.evidence.host_before, &run.evidence.host_after}) {
      for (auto& drive : moment->drives) drive.simulated->time_scale = drive.drive == "hdd" ? time_scale : 1;
    }
    run.evidence.samples = {{0, 170'000, 0, 100, 200, 1000, 0, 0, 0},
                            {1000, 20'000, 80'000, 356, 2760, 150'000, 80'000, 0, 0},
                            {3000, 15'000, 120'000, 5476, 7880, 150'000, 120'000, 0, 0}};
  }
  return subject;
}

}  // namespace swaprig::testing
