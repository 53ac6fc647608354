#pragma once

// What a run's drives did in its window, and what the guest waited for: the readings after minus the readings before.
// Pure. What was not read is nothing, never 0.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/record.hpp"
#include "spec/experiment.hpp"

namespace swaprig::report {

/// Requests to one drive within the window, as one side (the guest or the host) counted them.
struct DriveTraffic {
  std::int64_t reads = 0;
  std::int64_t read_bytes = 0;
  double read_s = 0;  ///< seconds that the reads took, summed over them
  std::int64_t writes = 0;
  std::int64_t written_bytes = 0;
  double write_s = 0;  ///< the same of the writes

  std::optional<double> read_latency_ms() const;   ///< mean, in milliseconds; nothing without a read
  std::optional<double> write_latency_ms() const;  ///< mean, in milliseconds; nothing without a write
};

/// Moves of an arm and what they cost, in seconds.
struct ArmMoves {
  std::int64_t moves = 0;
  double seek_s = 0;
  double rotation_s = 0;

  double seconds() const { return seek_s + rotation_s; }
};

/// What a simulated drive did within the window. Times are real seconds: the model's times the time scale.
struct SimulatedWork {
  bool rotates = false;  ///< has an arm
  double time_scale = 1;
  double window_s = 0;  ///< between the two readings, on the server's clock
  double busy_s = 0;    ///< the arm in use; of an SSD: at least one command in work
  double seek_s = 0;
  double rotation_s = 0;
  double transfer_s = 0;
  double queue_s = 0;  ///< commands waiting for the drive, summed over them
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t read_hits = 0;          ///< from the drive's buffer alone
  std::int64_t read_partial_hits = 0;  ///< began in the buffer
  std::int64_t write_hits = 0;         ///< taken by the write cache
  std::int64_t arm_operations = 0;
  double distance_strokes = 0;     ///< of the arm, summed, in full strokes
  ArmMoves crossings;              ///< between the file system and swap, both ways
  std::int64_t delivered = 0;      ///< requests of every kind
  double late_p99_s = 0;           ///< 99 % of the requests were at most this late, to a bucket's width
  double late_s = 0;               ///< time in which a request was overdue
  double starvation_s = 0;         ///< the server was ready to run and had no CPU
  std::int64_t floor_limited = 0;  ///< requests that the model has done sooner than the way to the server takes

  double busy_share() const;                          ///< of the window, 0 to 1
  double late_share() const;                          ///< of the window, 0 to 1
  std::optional<double> floor_share() const;          ///< of the requests, 0 to 1; nothing without a request
  bool is_floor_limited() const;                      ///< more than half of the requests are
  std::optional<double> strokes_a_operation() const;  ///< mean distance; nothing without an operation of an arm
};

/// One drive in one run.
struct DriveWork {
  std::string name;                   ///< raw
  std::string label;                  ///< safe to show on one line
  bool holds_swap = false;            ///< an area of the run's scenario lies on it
  std::optional<DriveTraffic> guest;  ///< /proc/diskstats
  std::optional<DriveTraffic> host;   ///< QEMU's counters
  std::optional<SimulatedWork> simulated;
};

/// One run: what the guest waited for, and its drives.
struct RunWork {
  std::optional<std::int64_t> swapped_in_bytes;
  std::optional<std::int64_t> swapped_out_bytes;
  std::optional<double> memory_some_s;  ///< PSI: seconds in which some task waited for memory
  std::optional<double> memory_full_s;  ///< PSI: seconds in which every task that had work did
  std::optional<std::int64_t> major_faults;
  std::vector<DriveWork> drives;  ///< with swap of the scenario, with the root, or with requests; in the file's order
};

/// Time of the simulated drives that a run swaps to, in seconds, summed over them.
struct SwapDriveTime {
  int drives = 0;
  int rotating = 0;  ///< how many of them have an arm
  double busy_s = 0;
  double seek_s = 0;
  double rotation_s = 0;
  double transfer_s = 0;    ///< of those with an arm
  double solid_busy_s = 0;  ///< busy time of those without
  std::int64_t arm_operations = 0;
  ArmMoves crossings;
};

/// The drives of a run whose scenario is not in the experiment hold no swap.
RunWork work_of(const spec::Experiment& experiment, const run::RunRecord& run);

/// Nothing unless there are drives that the run swaps to, and all of them are simulated and were read.
std::optional<SwapDriveTime> swap_drive_time(const RunWork& work);

}  // namespace swaprig::report
