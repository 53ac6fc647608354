#include "probe/page_pattern.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace swaprig::probe {

PagePattern::PagePattern(std::uint64_t seed, double compressible)
    : m_seed(mix(seed)),
      m_random_words(std::max<std::size_t>(
          1, k_page_words - static_cast<std::size_t>(std::lround(compressible * static_cast<double>(k_page_words))))) {}

std::uint64_t PagePattern::key(std::uint64_t page, std::uint64_t version) const {
  return mix(m_seed ^ mix(page ^ mix(version)));
}

std::uint64_t PagePattern::word(std::uint64_t key, std::size_t index) const {
  return index < m_random_words ? mix(key + index * 0x9e3779b97f4a7c15U) : 0;
}

void PagePattern::write(PageWords words, std::uint64_t page, std::uint64_t version) const {
  const auto page_key = key(page, version);
  for (std::size_t i = 0; i < k_page_words; ++i) words[i] = word(page_key, i);
}

bool PagePattern::matches(ConstPageWords words, std::uint64_t page, std::uint64_t version, std::uint64_t any) const {
  const auto page_key = key(page, version);
  const std::size_t last = m_random_words - 1;
  const std::size_t somewhere = any % k_page_words;
  return words[0] == word(page_key, 0) && words[last] == word(page_key, last) &&
         words[somewhere] == word(page_key, somewhere);
}

bool PagePattern::matches_wholly(ConstPageWords words, std::uint64_t page, std::uint64_t version) const {
  const auto page_key = key(page, version);
  std::uint64_t differences = 0;
  for (std::size_t i = 0; i < k_page_words; ++i) differences |= words[i] ^ word(page_key, i);
  return differences == 0;
}

Permutation::Permutation(std::uint64_t count, std::uint64_t seed)
    : m_count(count),
      m_mask(std::bit_ceil(std::max<std::uint64_t>(count, 4)) - 1),
      m_shift(static_cast<unsigned>(std::bit_width(m_mask)) / 2),
      m_step((mix(seed) << 1U) | 1U),
      m_scramble(mix(seed + 1) | 1U),
      m_state(mix(seed + 2) & m_mask) {}

std::uint64_t Permutation::next() {
  constexpr std::uint64_t k_multiplier = 6364136223846793005U;  // 1 modulo 4: the full period modulo any power of two
  while (true) {
    m_state = (m_state * k_multiplier + m_step) & m_mask;
    std::uint64_t number = m_state;
    number ^= number >> m_shift;
    number = (number * m_scramble) & m_mask;
    number ^= number >> m_shift;
    if (number < m_count) return number;
  }
}

bool rewrites(std::uint64_t seed, std::uint64_t page, std::uint64_t pass, double share) {
  constexpr double k_two_to_53 = 9007199254740992.0;
  const auto draw = mix(mix(seed ^ 0x5eedU) ^ mix(page + (pass << 40U)));
  return static_cast<double>(draw >> 11U) < share * k_two_to_53;
}

std::uint64_t version_after(std::uint64_t seed, std::uint64_t page, std::uint64_t pass, double share) {
  if (share <= 0) return 0;
  while (pass > 0 && !rewrites(seed, page, pass, share)) --pass;
  return pass;
}

}  // namespace swaprig::probe
