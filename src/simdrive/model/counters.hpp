#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simdrive/model/histogram.hpp"
#include "simdrive/model/request.hpp"

namespace swaprig::simdrive {

/// A named part of the drive, such as a partition: what happens there is counted apart.
struct Region {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  friend bool operator==(const Region&, const Region&) = default;
};

/// Finds the region of a byte. Index 0 is everything that has no name.
class RegionMap {
 public:
  RegionMap() = default;
  /// The regions may not overlap. One of size 0 is a name for what `extend` adds to it.
  explicit RegionMap(std::vector<Region> regions) : m_regions(std::move(regions)) {}

  /// From now on these bytes belong to the region of that name, whatever other region they lie in: a swap file in a
  /// file system. False when there is no such region, or when they overlap bytes that were added before.
  bool extend(const Region& extent);

  std::size_t size() const { return m_regions.size() + 1; }
  std::size_t index_of(std::uint64_t offset) const;
  std::string name(std::size_t index) const { return index == 0 ? "other" : m_regions[index - 1].name; }

 private:
  struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::size_t region = 0;
  };

  std::vector<Region> m_regions;
  std::vector<Extent> m_extents;  ///< by offset
};

struct OperationCounters {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  Time latency{0};      ///< as modelled, summed
  Histogram sizes;      ///< bytes
  Histogram latencies;  ///< ns, as modelled
};

struct RegionCounters {
  std::uint64_t requests = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  Time arm{0};  ///< seek, rotation and transfer of what the arm did there
};

/// What it cost to bring the arm from one region to another (or to another place of the same one).
struct CrossingCounters {
  std::uint64_t moves = 0;
  Time seek{0};
  Time rotation{0};
};

/// Everything that a drive has done since its start. Nothing is ever reset: differences are what is judged.
struct Counters {
  explicit Counters(RegionMap map = RegionMap())
      : regions(std::move(map)), by_region(regions.size()), crossings(regions.size() * regions.size()) {}

  RegionMap regions;
  std::array<OperationCounters, 5> operations;  ///< in the order of Operation
  std::vector<RegionCounters> by_region;
  std::vector<CrossingCounters> crossings;  ///< [from * regions.size() + to]

  Time busy{0};  ///< the arm in use; of an SSD: at least one command in work
  Time seek{0};
  Time rotation{0};
  Time transfer{0};     ///< between platter (or flash) and buffer
  Time queue{0};        ///< commands waiting for the drive, summed over commands
  Time electronics{0};  ///< command overhead and interface, summed over commands

  std::uint64_t read_hits = 0;          ///< served whole from the buffer or the write cache
  std::uint64_t read_partial_hits = 0;  ///< began in the buffer
  std::uint64_t write_hits = 0;         ///< taken by the write cache
  std::uint64_t arm_reads = 0;
  std::uint64_t arm_writes = 0;  ///< destaging and writes past the cache
  std::uint64_t destaged_bytes = 0;
  double distance = 0;               ///< of the arm, summed, in full strokes
  std::uint64_t distance_bytes = 0;  ///< the same as a difference of offsets

  OperationCounters& operator[](Operation operation) { return operations[static_cast<std::size_t>(operation)]; }
  const OperationCounters& operator[](Operation operation) const {
    return operations[static_cast<std::size_t>(operation)];
  }

  void count_arrival(const Request& request);
  void count_completion(const Request& request, Time latency);
};

}  // namespace swaprig::simdrive
