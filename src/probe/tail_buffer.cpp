#include "probe/tail_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace swaprig::probe {

void TailBuffer::append(std::string_view text) {
  const std::size_t size = m_bytes.size();
  if (text.size() > size) {
    m_total += text.size() - size;
    text.remove_prefix(text.size() - size);
  }
  while (!text.empty()) {
    const std::size_t at = m_total % size;
    const std::size_t piece = std::min(text.size(), size - at);
    std::memcpy(m_bytes.data() + at, text.data(), piece);
    m_total += piece;
    text.remove_prefix(piece);
  }
}

std::string TailBuffer::text() const {
  const std::size_t size = m_bytes.size();
  if (m_total <= size) return {m_bytes.data(), static_cast<std::size_t>(m_total)};
  const std::size_t oldest = m_total % size;
  std::string text(m_bytes.data() + oldest, size - oldest);
  return text.append(m_bytes.data(), oldest);
}

}  // namespace swaprig::probe
