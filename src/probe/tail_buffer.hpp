#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// Keeps the last bytes of a stream in memory that it takes once, at the beginning.
class TailBuffer {
 public:
  explicit TailBuffer(std::size_t limit) : m_bytes(limit) {}

  void append(std::string_view text);
  /// All that came, kept or not.
  std::uint64_t total() const { return m_total; }
  std::string text() const;

 private:
  std::vector<char> m_bytes;  ///< a ring; byte k of the stream is at k modulo its size
  std::uint64_t m_total = 0;
};

}  // namespace swaprig::probe
