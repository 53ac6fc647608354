#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace swaprig::drive {

/// `count` values from `least` on, up to the next bucket's least.
struct Bucket {
  std::int64_t least = 0;
  std::int64_t count = 0;

  friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// What a simulated drive did with one kind of command.
struct SimulatedOperation {
  std::int64_t requests = 0;
  std::int64_t bytes = 0;
  std::int64_t latency_ns = 0;       ///< as modelled, summed
  std::vector<Bucket> sizes;         ///< bytes
  std::vector<Bucket> latencies;     ///< ns, as modelled

  friend bool operator==(const SimulatedOperation&, const SimulatedOperation&) = default;
};

/// A part of the drive: a partition, or the swap files on it.
struct SimulatedRegion {
  std::string name;
  std::int64_t requests = 0;
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;
  std::int64_t arm_ns = 0;           ///< seek, rotation and transfer of what the arm did there

  friend bool operator==(const SimulatedRegion&, const SimulatedRegion&) = default;
};

/// Moves of the arm from one part to another, or within one.
struct SimulatedCrossing {
  std::string from;
  std::string to;
  std::int64_t moves = 0;
  std::int64_t seek_ns = 0;
  std::int64_t rotation_ns = 0;

  friend bool operator==(const SimulatedCrossing&, const SimulatedCrossing&) = default;
};

/// Everything that a simulated drive has done since its server started; or, by `difference`, in a window.
/// Times are real ones: the model's times the time scale.
struct SimulatedCounters {
  std::int64_t wall_ns = 0;
  double time_scale = 1;
  bool vanished = false;

  std::map<std::string, SimulatedOperation> operations;   ///< "read", "write", "zero", "trim", "flush"
  std::int64_t busy_ns = 0;          ///< the arm in use; of an SSD: at least one command in work
  std::int64_t seek_ns = 0;
  std::int64_t rotation_ns = 0;
  std::int64_t transfer_ns = 0;
  std::int64_t queue_ns = 0;         ///< commands waiting for the drive, summed over commands
  std::int64_t electronics_ns = 0;
  std::int64_t read_hits = 0;        ///< from the drive's buffer alone
  std::int64_t read_partial_hits = 0;
  std::int64_t write_hits = 0;       ///< taken by the write cache
  std::int64_t arm_reads = 0;
  std::int64_t arm_writes = 0;
  std::int64_t destaged_bytes = 0;
  double distance_strokes = 0;       ///< of the arm, summed
  std::vector<SimulatedRegion> regions;
  std::vector<SimulatedCrossing> crossings;

  // how well real time followed the model
  std::int64_t delivered = 0;        ///< requests
  std::int64_t late_ns = 0;          ///< real time in which at least one request was overdue by more than 100 us
  std::vector<Bucket> lateness;      ///< ns behind the deadline
  std::int64_t floor_limited = 0;    ///< requests that the model has done sooner than the way to the server takes
  bool realtime = false;             ///< the server runs before everything that computes
  std::int64_t starvation_ns = 0;    ///< the server was ready to run and had no CPU
  std::int64_t backing_errors = 0;
  std::int64_t backing_full = 0;     ///< of these: no space left on the host
  std::int64_t backing_slow = 0;     ///< requests that the host's file took longer than 10 ms for
  std::int64_t backing_longest_ns = 0;

  friend bool operator==(const SimulatedCounters&, const SimulatedCounters&) = default;
};

/// Reads the server's answer to "counters". Throws HostError when it has another form. Pure.
SimulatedCounters parse_counters(const std::string& answer);

/// What happened between two readings of one server. `vanished` and `backing_longest_ns` are the later one's. Pure.
SimulatedCounters difference(const SimulatedCounters& before, const SimulatedCounters& after);

/// The value that at least `share` (0 to 1) of the counted ones do not exceed, to the upper end of its bucket; 0 without
/// any. Only for histograms that no time scale has moved. Pure.
std::int64_t quantile(const std::vector<Bucket>& buckets, double share);

}  // namespace swaprig::drive
