#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "run/record.hpp"
#include "support/sample_evidence.hpp"

namespace swaprig::testing {

inline spec::SwapArea sample_area(const std::string& kind, const std::string& drive, const std::string& partition,
                                  const std::string& file = {}) {
  spec::SwapArea area;
  area.kind = kind;
  area.where = {drive, partition};
  area.file = file;
  area.size = gib(1);
  if (kind == "dd") area.block = mib(1);
  return area;
}

inline spec::Experiment sample_experiment(int blocks) {
  spec::Experiment e;
  e.name = "placement";
  e.title = "Swap on an HDD: does placement matter?";
  e.path = "experiments/placement.toml";
  e.text =
      "schema   = 1\ntitle    = \"Swap on an HDD: does placement matter?\"\nbaseline = \"start of the HDD\"\n\n"
      "[guest]\nimage  = \"debian-small\"\nmemory = \"256 MiB\"\n";
  e.canonical = e.text;
  e.guest.image = "debian-small";
  e.guest.memory = mib(256);
  e.guest.sysctl = {{"vm.swappiness", "60"}};
  e.drives = {
      {"hdd",
       spec::FileBacking{gib(16)},
       spec::Bus::virtio,
       {{"boot", gib(1), spec::PartitionType::ext4, false},
        {"swap-start", gib(1), spec::PartitionType::swap, false},
        {"root", std::nullopt, spec::PartitionType::ext4, true},
        {"swap-end", gib(1), spec::PartitionType::swap, false}}},
      {"nvme", spec::FileBacking{gib(2)}, spec::Bus::virtio, {{"swap", gib(1), spec::PartitionType::swap, false}}},
  };
  const auto add = [&e](const std::string& name, std::vector<spec::SwapArea> swap) {
    spec::Scenario scenario{name, e.guest, std::move(swap), true};
    scenario.expect_swap = !scenario.swap.empty();
    if (scenario.swap.empty()) scenario.guest.memory = gib(1);
    e.scenarios.push_back(std::move(scenario));
  };
  add("RAM only", {});
  add("start of the HDD", {sample_area("partition", "hdd", "swap-start")});
  add("swap file by dd", {sample_area("dd", "hdd", "root", "/swapfile")});
  add("swap file by fallocate", {sample_area("fallocate", "hdd", "root", "/swapfile")});
  add("end of the HDD", {sample_area("partition", "hdd", "swap-end")});
  add("second drive", {sample_area("partition", "nvme", "swap")});
  e.workload.kind = "memory";
  e.workload.summary = "memory: 400 MiB, sweep, 3 passes";
  e.runs.count = blocks;
  e.runs.seed = 20210907;
  e.baseline = "start of the HDD";
  return e;
}

/// Where the areas of the sample lie.
inline std::vector<guest::PlacedArea> sample_places(const spec::Scenario& scenario) {
  constexpr std::int64_t k_gib = std::int64_t{1} << 30U;
  constexpr std::int64_t k_mib = std::int64_t{1} << 20U;
  std::vector<guest::PlacedArea> places;
  for (const auto& area : scenario.swap) {
    guest::PlacedArea place;
    place.kind = area.kind;
    if (area.kind == "partition") {
      const std::int64_t offset = area.where.drive == "nvme"             ? k_mib
                                  : area.where.partition == "swap-start" ? k_gib + k_mib
                                                                         : 15 * k_gib - k_mib;
      place.path = "/dev/vda2";
      place.extents = {{area.where.drive, offset, k_gib}};
    } else {
      place.path = area.file;
      place.extents = {{"hdd", 3 * k_gib, 700 * k_mib}, {"hdd", 4 * k_gib, 324 * k_mib}};
    }
    places.push_back(std::move(place));
  }
  return places;
}

/// A valid run of the sample; times count from the batch's start.
inline run::RunRecord sample_run(const spec::Experiment& experiment, const std::string& arm, int block, int position,
                                 double seconds) {
  run::RunRecord r;
  r.experiment = experiment.name;
  r.batch = "20261130T192139-4f2a";
  r.block = block;
  r.position = position;
  r.arm = arm;
  r.scenario = arm;
  r.id = r.batch + "-b" + std::to_string(block) + "p" + std::to_string(position) + "a1";
  r.state = run::State::valid;
  r.started = parse_iso8601("2026-11-30T19:21:39.123Z") + std::chrono::minutes(10 * block + position);
  r.ended = r.started + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds) + 20000);
  r.evidence = valid_evidence();
  auto& e = r.evidence;
  const auto& scenario = experiment.scenario(arm);
  e.areas = sample_places(scenario);
  e.expect_swap = scenario.expect_swap;
  e.memory_bytes = static_cast<std::int64_t>(scenario.guest.memory.count);
  constexpr std::int64_t k_gib = std::int64_t{1} << 30U;
  e.root_data = {{"hdd", 2 * k_gib + (k_gib >> 4U), k_gib >> 3U},
                 {"hdd", 5 * k_gib, k_gib >> 5U},
                 {"hdd", 9 * k_gib, k_gib >> 6U}};
  const bool swaps = !scenario.swap.empty();
  e.guest_before.vmstat = {{"pswpin", 100}, {"pswpout", 200}};
  e.guest_after.vmstat = {{"pswpin", swaps ? 81920 + 100 + block : 100}, {"pswpout", swaps ? 93440 + 200 : 200}};
  e.workload.wall_ns = static_cast<std::int64_t>(seconds * 1e9);
  e.host_window_ns = e.workload.wall_ns + 50'000'000;
  e.phases = {{"boot", 9.4}, {"place swap", 1.25}, {"settle", 2.5}, {"workload", seconds}};
  e.swapoff_seconds = swaps ? 3.5 : -1;
  return r;
}

inline void fail(run::RunRecord& r, run::State state, const std::string& code, const std::string& text) {
  r.state = state;
  r.reasons = {{code, text}};
}

/// Six scenarios over `blocks` (2 to 5) in mirrored order: one run failed, one was invalid and made again, one scenario
/// is the baseline's twin in another position. A batch that ended.
inline report::Subject sample_subject(int blocks = 5) {
  report::Subject s;
  s.experiment = sample_experiment(blocks);
  s.batch = "20261130T192139-4f2a";
  s.started = parse_iso8601("2026-11-30T19:21:39.123Z");
  s.ended = parse_iso8601("2026-11-30T20:44:02.000Z");
  s.image_digest = "9f0c2a7be1d44c3f8a6e5b7d1029384756abcdef0123456789abcdef01234567";
  s.swaprig_version = "0.1.0";
  s.planned_runs = 6 * blocks;
  s.host_facts = {{"CPU", "Some CPU, 2 cores"}, {"memory", "7.8 GiB"}, {"governor", "performance"}};
  const std::vector<std::pair<std::string, std::vector<double>>> times{
      {"RAM only", {24.11, 24.35, 24.02, 24.2, 24.18}},
      {"start of the HDD", {113.4, 115.1, 114.2, 113.0, 116.3}},
      {"swap file by dd", {123.3, 125.8, 124.0, 122.9, 126.1}},
      {"swap file by fallocate", {114.0, 114.9, 115.0, 113.9, 115.5}},
      {"end of the HDD", {176.2, 178.0, 180.3, 176.9, 179.0}},
      {"second drive", {76.9, 77.4, 78.1, 76.5, 93.0}},
  };
  for (int block = 1; block <= blocks; ++block) {
    for (int i = 0; i < 6; ++i) {
      const int scenario = block % 2 == 1 ? i : 5 - i;
      const auto& [arm, seconds] = times[static_cast<std::size_t>(scenario)];
      s.runs.push_back(sample_run(s.experiment, arm, block, i + 1, seconds[static_cast<std::size_t>(block - 1)]));
    }
  }
  auto& invalid = s.runs[7];  // block 2, position 2: end of the HDD
  auto again = invalid;
  fail(invalid, run::State::invalid, "new I/O errors",
       "1 new kernel message names vda: I/O error, dev vda, sector 2048");
  invalid.evidence.kernel_messages = {"[  91.220311] I/O error, dev vda, sector 2048 op 0x0:(READ)"};
  again.attempt = 2;
  again.id.back() = '2';
  s.runs.push_back(again);
  if (blocks < 3) return s;
  auto& failed = s.runs[15];  // block 3, position 4: swap file by fallocate
  fail(failed, run::State::failed, "out of memory", "the kernel killed the workload: oom_kill rose from 0 to 1");
  failed.evidence.workload.finished = false;
  failed.evidence.workload.signal = 9;
  failed.evidence.workload.out_of_memory = true;
  failed.evidence.workload.output_tail = "pass 1 of 3\npass 2 of 3\n\x1b[31mKilled\x1b[0m\n";
  failed.evidence.console_tail = "[  120.5] Out of memory: Killed process 311 (probe)\n";
  return s;
}

}  // namespace swaprig::testing
