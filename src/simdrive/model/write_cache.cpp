#include "simdrive/model/write_cache.hpp"

#include <algorithm>

namespace swaprig::simdrive {

bool WriteCache::covers(std::uint64_t offset, std::uint64_t length) const {
  const std::uint64_t end = offset + length;
  if (m_writing && offset >= m_writing->offset && end <= m_writing->offset + m_writing->length) return true;
  auto extent = m_extents.upper_bound(offset);
  if (extent == m_extents.begin()) return false;
  for (--extent; extent != m_extents.end() && extent->first <= offset; ++extent) {
    if (extent->second.end >= end) return true;
    offset = std::max(offset, extent->second.end);
  }
  return false;
}

void WriteCache::add(std::uint64_t offset, std::uint64_t length) {
  // An overwritten write that a flush waits for must not look younger than it is.
  const std::uint64_t oldest = cut(offset, offset + length);
  ++m_sequence;
  put(offset, Extent{offset + length, std::min(oldest, m_sequence)});
}

void WriteCache::drop(std::uint64_t offset, std::uint64_t length) { cut(offset, offset + length); }

std::vector<WriteCache::Run> WriteCache::runs_from(std::uint64_t head, std::size_t count) const {
  std::vector<Run> runs;
  auto extent = m_extents.lower_bound(head);
  std::size_t visited = 0;
  while (runs.size() < count && visited < m_extents.size()) {
    if (extent == m_extents.end()) extent = m_extents.begin();
    Run run{extent->first, 0};
    while (extent != m_extents.end() && extent->first == run.offset + run.length && run.length < k_longest_run &&
           visited < m_extents.size()) {
      run.length = std::min(extent->second.end - run.offset, k_longest_run);
      ++extent;
      ++visited;
    }
    runs.push_back(run);
  }
  return runs;
}

void WriteCache::begin_write(const Run& run) {
  m_writing_sequence = cut(run.offset, run.offset + run.length);
  m_writing = run;
}

bool WriteCache::holds_until(std::uint64_t sequence) const {
  return m_writing_sequence <= sequence || (!m_sequences.empty() && *m_sequences.begin() <= sequence);
}

std::uint64_t WriteCache::cut(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t oldest = UINT64_MAX;
  auto extent = m_extents.upper_bound(begin);
  if (extent != m_extents.begin() && std::prev(extent)->second.end > begin) --extent;
  while (extent != m_extents.end() && extent->first < end) {
    const std::uint64_t first = extent->first;
    const Extent whole = extent->second;
    m_sequences.erase(m_sequences.find(whole.sequence));
    m_dirty -= whole.end - first;
    extent = m_extents.erase(extent);
    oldest = std::min(oldest, whole.sequence);
    if (first < begin) put(first, Extent{begin, whole.sequence});
    if (whole.end > end) put(end, Extent{whole.end, whole.sequence});
  }
  return oldest;
}

void WriteCache::put(std::uint64_t begin, const Extent& extent) {
  m_extents[begin] = extent;
  m_sequences.insert(extent.sequence);
  m_dirty += extent.end - begin;
}

}  // namespace swaprig::simdrive
