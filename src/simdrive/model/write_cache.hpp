#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace swaprig::simdrive {

/// Data that the host considers written and the platter does not have yet. Adjacent extents are destaged together.
class WriteCache {
 public:
  struct Run {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };

  explicit WriteCache(std::uint64_t capacity) : m_capacity(capacity) {}

  std::uint64_t capacity() const { return m_capacity; }
  /// Bytes that are in use, those under way to the platter included.
  std::uint64_t used() const { return m_dirty + (m_writing ? m_writing->length : 0); }
  bool fits(std::uint64_t length) const { return used() + length <= m_capacity; }
  bool is_clean() const { return m_extents.empty() && !m_writing; }
  bool has_work() const { return !m_extents.empty(); }
  bool is_writing() const { return m_writing.has_value(); }
  bool covers(std::uint64_t offset, std::uint64_t length) const;

  void add(std::uint64_t offset, std::uint64_t length);
  /// What is in this range has been overwritten on the platter, or trimmed.
  void drop(std::uint64_t offset, std::uint64_t length);

  /// At most `count` runs of at most k_longest_run bytes, in ascending order from `head`, then from the beginning.
  std::vector<Run> runs_from(std::uint64_t head, std::size_t count) const;
  /// The arm begins to write this run; its room is free when `written` is called.
  void begin_write(const Run& run);
  void written() {
    m_writing.reset();
    m_writing_sequence = UINT64_MAX;
  }

  /// The number of the newest write, and whether one at least as old is still here: what a flush waits for.
  std::uint64_t newest() const { return m_sequence; }
  bool holds_until(std::uint64_t sequence) const;

  static constexpr std::uint64_t k_longest_run = 1U << 20U;

 private:
  struct Extent {
    std::uint64_t end = 0;
    std::uint64_t sequence = 0;
  };

  /// Takes the range out and returns the lowest sequence number of what was there, or UINT64_MAX.
  std::uint64_t cut(std::uint64_t begin, std::uint64_t end);
  void put(std::uint64_t begin, const Extent& extent);

  std::uint64_t m_capacity;
  std::map<std::uint64_t, Extent> m_extents;
  std::multiset<std::uint64_t> m_sequences;
  std::uint64_t m_dirty = 0;
  std::uint64_t m_sequence = 0;
  std::optional<Run> m_writing;
  std::uint64_t m_writing_sequence = UINT64_MAX;
};

}  // namespace swaprig::simdrive
