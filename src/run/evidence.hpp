#pragma once

// What was collected to show that a run is what it claims to be. Plain values; every number has its unit in its name.
// A missing reading is an empty optional or an empty list, never 0.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drive/simulated_counters.hpp"
#include "guest/observations.hpp"

namespace swaprig::run {

using guest::Counters;
using guest::Creation;
using guest::DiskRange;
using guest::DiskStat;
using guest::GuestDrive;
using guest::GuestMoment;
using guest::PlacedArea;
using guest::ReadBack;
using guest::Sample;
using guest::SwapLine;
using guest::WorkloadEnd;

/// The host at one moment.
struct HostDrive {
  std::string drive;
  std::optional<std::int64_t> cached_bytes;     ///< of the backing, in the host's page cache; nothing: plays no part
  std::optional<std::int64_t> allocated_bytes;  ///< blocks of the backing on the host
  std::int64_t read_bytes = 0;       ///< QEMU's counters from here on
  std::int64_t read_requests = 0;
  std::int64_t written_bytes = 0;
  std::int64_t write_requests = 0;
  std::int64_t read_ns = 0;
  std::int64_t write_ns = 0;
  std::int64_t failed_reads = 0;
  std::int64_t failed_writes = 0;
  std::optional<drive::SimulatedCounters> simulated;  ///< what its server has done since its start
};

struct HostMoment {
  std::vector<HostDrive> drives;
  std::int64_t qemu_swapped_kib = 0;
  std::int64_t qemu_resident_kib = 0;
  std::int64_t qemu_cpu_ms = 0;
  std::int64_t swap_in_pages = 0;       ///< host's /proc/vmstat
  std::int64_t swap_out_pages = 0;
  Counters pressure_us;
  std::int64_t ksm_run = 0;
  std::string transparent_hugepage;
  std::optional<std::int64_t> page_cache_kib{};  ///< /proc/meminfo: Cached
};

enum class DirectIo { unknown, yes, no, simulated };

/// How one drive was opened by QEMU.
struct DirectIoProof {
  std::string drive;
  DirectIo result = DirectIo::unknown;
  bool descriptor_direct = false;   ///< /proc/PID/fdinfo: O_DIRECT
  bool monitor_direct = false;      ///< QMP query-block: cache.direct
  std::optional<bool> loop_direct{};        ///< of a loop device: its dio flag
  std::string image_format{};               ///< of a device that holds a disk image: "qcow2"; else empty
  std::optional<bool> neighbours_untouched{};  ///< of one partition: the MiB before and behind it are as they were
};

struct Phase {
  std::string name;                 ///< "boot", "place swap", "settle", "workload", ...
  double seconds = 0;
};

/// A step that went wrong before judging; `code` is one of the reason codes of run/judge.hpp.
struct Failure {
  std::string code;
  std::string text;
};

struct Evidence {
  // what was planned
  bool expect_swap = true;
  std::int64_t memory_bytes = 0;
  std::int64_t min_swap_bytes = 0;
  std::vector<std::string> planned_swap;       ///< one line an area, for people
  std::string workload_kind;                   ///< "memory" | "command" | "swapfile-creation": what its exit status means
  std::vector<std::string> planned_creations;  ///< the swap files to be made and the controls, spec::in_words
  std::int64_t planned_repeats = 0;            ///< how often each of them

  // conditions
  std::string acceleration;                    ///< "kvm" | "tcg"
  std::string versions;                        ///< QEMU and libvirt
  std::string host_kernel;
  std::string guest_kernel;
  std::string kernel_command_line;
  std::string image_digest;
  std::vector<ReadBack> read_backs;
  std::vector<SwapLine> swaps_at_boot;         ///< anything here is foreign
  std::vector<SwapLine> swaps_expected;        ///< used_kib does not count; a priority below 0: the kernel's own, any below 0
  std::vector<SwapLine> swaps_placed;          ///< after placing, and again after the settling
  std::vector<SwapLine> swaps_settled;
  std::vector<PlacedArea> areas;
  std::vector<GuestDrive> guest_drives;
  std::map<std::string, std::string> guest_settings;   ///< page-cluster, VMA read-ahead, MGLRU, THP, zswap, swappiness, agent's reserve
  std::vector<DiskRange> root_data;            ///< where the image's files lie
  std::vector<DirectIoProof> direct_io;
  double idle_wait_seconds = 0;                ///< of the settling
  bool idle_reached = true;

  // the window
  GuestMoment guest_before, guest_after;
  HostMoment host_before, host_after;
  std::optional<std::int64_t> host_window_ns;  ///< between the probe's start and end lines, host's clock
  std::vector<Sample> samples;
  std::optional<std::int64_t> sampler_us;      ///< the probe's own CPU time in the window
  WorkloadEnd workload;
  std::vector<Creation> creations;             ///< of the workload that makes swap files
  std::vector<std::string> kernel_messages;    ///< new ones in the window; raw from the guest

  // around it
  std::vector<Phase> phases;
  double swapoff_seconds = -1;                 ///< -1: not reached
  std::vector<Failure> failures;
  std::string console_tail;                    ///< raw from the guest; kept when something failed
};

}  // namespace swaprig::run
