#include "simdrive/model/counters.hpp"

#include <algorithm>

namespace swaprig::simdrive {

bool RegionMap::extend(const Region& extent) {
  const auto region = std::find_if(m_regions.begin(), m_regions.end(),
                                   [&](const Region& known) { return known.name == extent.name; });
  const auto next = std::upper_bound(m_extents.begin(), m_extents.end(), extent.offset,
                                     [](std::uint64_t offset, const Extent& other) { return offset < other.offset; });
  const bool before_next = next == m_extents.end() || extent.offset + extent.size <= next->offset;
  const bool after_last = next == m_extents.begin() || (next - 1)->offset + (next - 1)->size <= extent.offset;
  if (region == m_regions.end() || !before_next || !after_last) return false;
  m_extents.insert(next, {extent.offset, extent.size, static_cast<std::size_t>(region - m_regions.begin()) + 1});
  return true;
}

std::size_t RegionMap::index_of(std::uint64_t offset) const {
  const auto next = std::upper_bound(m_extents.begin(), m_extents.end(), offset,
                                     [](std::uint64_t at, const Extent& other) { return at < other.offset; });
  if (next != m_extents.begin() && offset - (next - 1)->offset < (next - 1)->size) return (next - 1)->region;
  for (std::size_t i = 0; i < m_regions.size(); ++i) {
    if (offset >= m_regions[i].offset && offset - m_regions[i].offset < m_regions[i].size) return i + 1;
  }
  return 0;
}

void Counters::count_arrival(const Request& request) {
  OperationCounters& operation = (*this)[request.operation];
  ++operation.requests;
  operation.bytes += request.length;
  operation.sizes.add(request.length);
  if (request.operation == Operation::flush) return;
  RegionCounters& region = by_region[regions.index_of(request.offset)];
  ++region.requests;
  if (request.operation == Operation::read) region.bytes_read += request.length;
  if (request.operation == Operation::write || request.operation == Operation::zero) {
    region.bytes_written += request.length;
  }
}

void Counters::count_completion(const Request& request, Time latency) {
  OperationCounters& operation = (*this)[request.operation];
  operation.latency += latency;
  operation.latencies.add(static_cast<std::uint64_t>(latency.count()));
}

}  // namespace swaprig::simdrive
