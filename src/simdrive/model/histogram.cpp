#include "simdrive/model/histogram.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace swaprig::simdrive {

std::uint64_t Histogram::total() const { return std::accumulate(m_counts.begin(), m_counts.end(), std::uint64_t{0}); }

std::uint64_t Histogram::quantile(double part) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(total())));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < k_buckets; ++bucket) {
    seen += m_counts[bucket];
    if (seen != 0 && seen >= wanted) return bucket + 1 < k_buckets ? lower_bound(bucket + 1) - 1 : UINT64_MAX;
  }
  return 0;
}

std::size_t Histogram::bucket_of(std::uint64_t value) {
  if (value < 4) return static_cast<std::size_t>(value);
  const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
  return static_cast<std::size_t>(4 * (exponent - 1) + ((value >> (exponent - 2)) & 3U));
}

std::uint64_t Histogram::lower_bound(std::size_t bucket) {
  if (bucket < 4) return bucket;
  return (std::uint64_t{4} + bucket % 4) << (bucket / 4 - 1);
}

}  // namespace swaprig::simdrive
