#include "simdrive/model/counters.hpp"

namespace swaprig::simdrive {

std::size_t RegionMap::index_of(std::uint64_t offset) const {
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
