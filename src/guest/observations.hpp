#pragma once

// What is seen in the guest. Plain values; every number has its unit in its name.
// A missing reading is an empty optional or an empty list, never 0.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace swaprig::guest {

using Counters = std::map<std::string, std::int64_t>;

/// One line of /proc/swaps.
struct SwapLine {
  std::string path;
  std::string type;               ///< "partition" | "file"
  std::int64_t size_kib = 0;
  std::int64_t used_kib = 0;
  int priority = 0;

  friend bool operator==(const SwapLine&, const SwapLine&) = default;
};

/// Something that had to be as planned, read back in the guest.
struct ReadBack {
  std::string what;               ///< "vm.swappiness", "memory", "kernel argument quiet"
  std::string wanted;
  std::string found;
  bool holds = false;
};

/// Bytes on the drive, from the drive's start.
struct DiskRange {
  std::string drive;
  std::int64_t offset_bytes = 0;
  std::int64_t size_bytes = 0;
};

/// A planned area and where it came to lie.
struct PlacedArea {
  std::string kind;               ///< "partition", "dd", ...
  std::string path;               ///< in the guest
  std::vector<DiskRange> extents; ///< in file order; one for a partition
  std::string block_device;       ///< guest's name whose /proc/diskstats line holds its traffic: "vda2", or "vda3" of the root
  bool own_block_device = true;   ///< false: the traffic shares its block device with a file system
};

/// One drive as the guest sees it.
struct GuestDrive {
  std::string drive;
  std::string device;             ///< "vda"
  std::string serial;
  std::int64_t size_bytes = 0;
  bool rotational = false;
  std::string scheduler;
  std::int64_t read_ahead_kib = 0;
  std::int64_t logical_sector_bytes = 0;
  std::int64_t physical_sector_bytes = 0;
};

/// /proc/diskstats of one device, in bytes and ms.
struct DiskStat {
  std::string device;
  std::int64_t reads = 0;
  std::int64_t read_bytes = 0;
  std::int64_t read_ms = 0;
  std::int64_t writes = 0;
  std::int64_t written_bytes = 0;
  std::int64_t write_ms = 0;
  std::int64_t busy_ms = 0;
};

/// The guest at one moment, read by the probe itself.
struct GuestMoment {
  Counters vmstat;
  Counters meminfo_kib;
  std::vector<DiskStat> disks;
  std::vector<SwapLine> swaps;
  Counters pressure_us;           ///< "memory.some", "memory.full", "io.some", "io.full", "cpu.some": total stall time
  std::string clocksource;
};

/// One line of the probe's sampler.
struct Sample {
  std::int64_t at_ms = 0;               ///< since the start of the workload
  std::int64_t memory_available_kib = 0;
  std::int64_t swap_used_kib = 0;
  std::int64_t swap_in_pages = 0;       ///< since boot
  std::int64_t swap_out_pages = 0;
  std::int64_t tree_resident_kib = 0;   ///< workload's process tree
  std::int64_t tree_swapped_kib = 0;
  std::int64_t memory_some_us = 0;
  std::int64_t memory_full_us = 0;
};

/// One cell of the workload that makes swap files: its timings, in the order in which they were taken.
struct Creation {
  std::string method;             ///< "fallocate", "dd"; the controls "fallocate(2)", "true"
  std::string file_system;        ///< "ext4", "xfs", "btrfs"; what the guest found it to be
  std::int64_t size_bytes = 0;    ///< of the file; 0 for "true"
  std::int64_t block_bytes = 0;   ///< dd's; 0 elsewhere
  bool durable = false;           ///< the fsync of the file is part of the times
  std::vector<std::int64_t> real_ns;    ///< guest's CLOCK_MONOTONIC
  std::vector<std::int64_t> user_us;    ///< of the tool; with durable also of the fsync
  std::vector<std::int64_t> system_us;
  std::string unsupported;        ///< why it cannot be done here, raw from the guest; empty when it can
};

/// How the workload ended.
struct WorkloadEnd {
  bool started = false;
  bool finished = false;
  std::string error;                ///< why it could not be started ("No such file or directory"); empty otherwise
  bool timed_out = false;
  int exit_status = 0;              ///< of the command when it exited
  int signal = 0;                   ///< that ended it, 0: none
  bool out_of_memory = false;       ///< oom_kill rose, or the command says its child got SIGKILL (ExitFailure (-9))
  std::int64_t wall_ns = 0;         ///< guest's CLOCK_MONOTONIC
  std::int64_t user_us = 0;
  std::int64_t system_us = 0;
  std::int64_t major_faults = 0;
  std::int64_t peak_resident_kib = 0;   ///< rusage's maximum
  std::int64_t peak_memory_kib = 0;     ///< highest sampled resident + swapped of the process tree
  std::string output_tail;              ///< raw from the guest; escape before showing
  bool output_cut = false;
};

}  // namespace swaprig::guest
