#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace swaprig::plan {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014): the same numbers
/// on every machine and with every C++ library, which std::shuffle does not promise.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next();
  /// Evenly from 0 to bound - 1; bound > 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t m_state;
};

/// Fisher-Yates, from the last element to the first.
template <typename T>
void shuffle(std::vector<T>& elements, SplitMix64& random) {
  for (std::size_t i = elements.size(); i > 1; --i) {
    using std::swap;
    swap(elements[i - 1], elements[static_cast<std::size_t>(random.below(i))]);
  }
}

}  // namespace swaprig::plan
