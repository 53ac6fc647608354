#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "support/sample_subject.hpp"

namespace swaprig::testing {

/// One cell: `seconds` is the middle one of three timings, the others lie 10 % beside it.
inline guest::Creation sample_creation(const std::string& method, std::int64_t size, std::int64_t block, bool durable,
                                       double seconds) {
  guest::Creation creation{method, "ext4", size, block, durable, {}, {}, {}, ""};
  for (const double factor : {1.1, 1.0, 0.9}) {
    creation.real_ns.push_back(static_cast<std::int64_t>(std::llround(1e9 * seconds * factor)));
    creation.user_us.push_back(static_cast<std::int64_t>(std::llround(1e6 * seconds * 0.1 * factor)));
    creation.system_us.push_back(static_cast<std::int64_t>(std::llround(1e6 * seconds * 0.8 * factor)));
  }
  return creation;
}

/// What one boot timed: fallocate grows with the root of the size, dd in proportion to it; `pace` stretches all of it.
inline std::vector<guest::Creation> sample_creations(double pace, bool durable_too = true) {
  constexpr std::int64_t k_gib = std::int64_t{1} << 30U;
  std::vector<guest::Creation> creations{sample_creation("true", 0, 0, false, 0.0009 * pace)};
  for (const std::int64_t size : {k_gib, 4 * k_gib, 16 * k_gib}) {
    const auto gib = static_cast<double>(size) / static_cast<double>(k_gib);
    for (const bool durable : {false, true}) {
      if (durable && !durable_too) continue;
      const double more = durable ? 2 * pace : pace;
      creations.push_back(sample_creation("fallocate", size, 0, durable, 0.003 * std::sqrt(gib) * more));
      creations.push_back(sample_creation("fallocate(2)", size, 0, durable, 0.0004 * std::sqrt(gib) * more));
      creations.push_back(sample_creation("dd", size, 4096, durable, 1.25 * gib * more));
      creations.push_back(sample_creation("dd", size, 1 << 20, durable, 1.0 * gib * more));
    }
  }
  return creations;
}

/// Three file systems in two boots: ext4 makes everything, XFS lacks fallocate, and no run of btrfs could make any.
inline report::Subject sample_making_subject() {
  report::Subject s;
  auto& e = s.experiment;
  e.name = "swapfile-creation";
  e.title = "Making a swap file: fallocate or dd?";
  e.text = "schema = 1\n";
  e.guest.image = "filesystems";
  e.guest.memory = mib(512);
  e.drives = {{"disk",
               spec::FileBacking{gib(128)},
               spec::Bus::virtio,
               {{"root", gib(2), spec::PartitionType::ext4, true},
                {"ext4", gib(40), spec::PartitionType::ext4, false},
                {"xfs", gib(40), spec::PartitionType::xfs, false},
                {"btrfs", gib(40), spec::PartitionType::btrfs, false}}}};
  for (const std::string name : {"ext4", "XFS", "btrfs"}) {
    spec::Scenario scenario{name, e.guest, {}, false};
    scenario.on = {"disk", name == "XFS" ? "xfs" : name};
    e.scenarios.push_back(scenario);
  }
  e.workload.kind = spec::k_swapfile_creation;
  e.workload.summary = "making swap files of 1 GiB to 16 GiB by fallocate and by dd, each 3 times";
  e.workload.creation.emplace();
  e.runs.count = 2;
  e.baseline = "ext4";
  s.batch = "20261130T192139-4f2a";
  s.started = parse_iso8601("2026-11-30T19:21:39.123Z");
  s.ended = parse_iso8601("2026-11-30T20:44:02.000Z");
  s.image_digest = "9f0c2a7be1d44c3f8a6e5b7d1029384756abcdef0123456789abcdef01234567";
  s.swaprig_version = "0.1.0";
  s.planned_runs = 6;
  for (int block = 1; block <= 2; ++block) {
    int position = 0;
    for (const auto& scenario : e.scenarios) {
      ++position;
      auto run = sample_run(e, scenario.name, block, position, 100.0 * position + block);
      auto& evidence = run.evidence;
      evidence.workload_kind = e.workload.kind;
      evidence.root_data.clear();
      evidence.guest_drives.clear();
      evidence.creations = sample_creations(position * (block == 1 ? 1.0 : 1.04), scenario.name == "ext4");
      for (auto& creation : evidence.creations) {
        creation.file_system = scenario.on->partition;
        if (creation.method == "true" || creation.method == "dd" || scenario.name == "ext4") continue;
        for (auto* timings : {&creation.real_ns, &creation.user_us, &creation.system_us}) timings->clear();
        creation.unsupported = "fallocate: fallocate failed: Operation not supported";
      }
      if (scenario.name == "btrfs") {
        fail(run, run::State::unsupported, "unsupported",
             "no swap file can be made so on btrfs: fallocate of 1 GiB: swapon: /swapfile: swapon failed: Invalid "
             "argument");
      }
      s.runs.push_back(std::move(run));
    }
  }
  return s;
}

}  // namespace swaprig::testing
