#pragma once

#include <array>
#include <cstdint>

namespace swaprig::simdrive {

/// Counts of whole numbers in buckets whose width is a quarter of a power of two; 0 to 3 have their own.
/// Two histograms of the same server can be subtracted bucket by bucket.
class Histogram {
 public:
  static constexpr std::size_t k_buckets = 252;

  void add(std::uint64_t value, std::uint64_t times = 1) { m_counts[bucket_of(value)] += times; }
  std::uint64_t count(std::size_t bucket) const { return m_counts[bucket]; }
  std::uint64_t total() const;

  /// The least value that is at least `part` (0 to 1) of all values, to the upper end of its bucket; 0 when empty.
  std::uint64_t quantile(double part) const;

  static std::size_t bucket_of(std::uint64_t value);
  /// The least value of a bucket.
  static std::uint64_t lower_bound(std::size_t bucket);

 private:
  std::array<std::uint64_t, k_buckets> m_counts{};
};

}  // namespace swaprig::simdrive
