#include "plan/seeded_order.hpp"

#include "base/assert.hpp"

namespace swaprig::plan {

std::uint64_t SplitMix64::next() {
  m_state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = m_state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  SWAPRIG_ASSERT(bound > 0);
  // What lies below 2^64 mod bound is drawn again, so that every value is equally likely.
  const std::uint64_t threshold = (0 - bound) % bound;
  std::uint64_t value = next();
  while (value < threshold) value = next();
  return value % bound;
}

}  // namespace swaprig::plan
