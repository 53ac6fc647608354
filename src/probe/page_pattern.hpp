#pragma once

// What the memory workload writes into its pages. Every word can be computed again from seed, page and version alone,
// so that checking needs no second copy. Pure.

#include <cstdint>
#include <span>

namespace swaprig::probe {

inline constexpr std::size_t k_page_bytes = 4096;
inline constexpr std::size_t k_page_words = k_page_bytes / sizeof(std::uint64_t);

using PageWords = std::span<std::uint64_t, k_page_words>;
using ConstPageWords = std::span<const std::uint64_t, k_page_words>;

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Pages that differ from each other and from their own earlier versions in every word that is not zero.
class PagePattern {
 public:
  /// `compressible`: share of each page, from its end, that is zero; 0 to 1. The first word never is.
  PagePattern(std::uint64_t seed, double compressible);

  void write(PageWords words, std::uint64_t page, std::uint64_t version) const;
  /// The first word (which names the version), the last random one and the word at `any` (taken modulo the page).
  bool matches(ConstPageWords words, std::uint64_t page, std::uint64_t version, std::uint64_t any) const;
  /// Every word.
  bool matches_wholly(ConstPageWords words, std::uint64_t page, std::uint64_t version) const;

 private:
  std::uint64_t key(std::uint64_t page, std::uint64_t version) const;
  std::uint64_t word(std::uint64_t key, std::size_t index) const;

  std::uint64_t m_seed;
  std::size_t m_random_words;  ///< from the front, at least 1
};

/// Numbers 0 to count - 1, each once, in an order that only the seed decides; no table, whatever the count.
/// An affine step modulo a power of two, scrambled by two bijections; numbers past the end are skipped.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed);

  /// The next number; after `count` calls the same order begins again.
  std::uint64_t next();

 private:
  std::uint64_t m_count;
  std::uint64_t m_mask;
  unsigned m_shift;
  std::uint64_t m_step;
  std::uint64_t m_scramble;
  std::uint64_t m_state;
};

/// Whether a pass (from 1) rewrites a page; true for the share `share` of all pairs.
bool rewrites(std::uint64_t seed, std::uint64_t page, std::uint64_t pass, double share);

/// The last pass up to `pass` that rewrote the page, 0 when none did: the version that it has to hold.
std::uint64_t version_after(std::uint64_t seed, std::uint64_t page, std::uint64_t pass, double share);

}  // namespace swaprig::probe
