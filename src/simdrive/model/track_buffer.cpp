#include "simdrive/model/track_buffer.hpp"

#include <algorithm>

namespace swaprig::simdrive {

TrackBuffer::TrackBuffer(const Platter& platter, std::uint64_t segment, std::size_t segments, std::uint64_t drive_size)
    : m_platter(platter), m_capacity(segment), m_limit(segment == 0 ? 0 : segments), m_drive_size(drive_size) {}

std::uint64_t TrackBuffer::cached(std::uint64_t offset, std::uint64_t length, Time now) const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    const std::uint64_t end = end_of(i, now);
    if (offset >= begin_of(i, now) && offset < end) most = std::max(most, std::min(length, end - offset));
  }
  return most;
}

void TrackBuffer::used(std::uint64_t offset, std::uint64_t length, Time now) {
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    if (offset < begin_of(i, now) || offset >= end_of(i, now)) continue;
    m_segments[i].last_use = ++m_uses;
    if (!m_stream || m_stream->segment != i) continue;
    const std::uint64_t limit = std::min(m_drive_size, offset + length + m_capacity);
    if (limit <= m_stream->limit) continue;
    if (frontier(now) < m_stream->limit) {
      m_stream->limit = limit;
    } else if (limit - m_stream->limit >= m_capacity / 2) {
      // The segment was full and the head waited on its track; it goes on when the next byte comes round.
      const std::uint64_t from = m_stream->limit;
      m_stream = Stream{i, from, now + m_platter.rotation_wait(now, from), limit};
    }
  }
}

void TrackBuffer::filled(std::uint64_t offset, std::uint64_t length, Time now) {
  if (m_limit == 0) return;
  const std::size_t index = segment_for(offset);
  Segment& segment = m_segments[index];
  segment.end = offset + length;
  segment.last_use = ++m_uses;
  m_stream = Stream{index, segment.end, now, std::min(m_drive_size, segment.end + m_capacity)};
}

void TrackBuffer::stop(Time now) {
  if (!m_stream) return;
  Segment& segment = m_segments[m_stream->segment];
  segment.end = frontier(now);
  m_stream.reset();
}

void TrackBuffer::invalidate(std::uint64_t offset, std::uint64_t length, Time now) {
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    if (offset >= end_of(i, now) || offset + length <= begin_of(i, now)) continue;
    if (m_stream && m_stream->segment == i) {
      // What the head has under it stays true; only what lies before it is gone.
      const std::uint64_t reached = frontier(now);
      m_segments[i].begin = reached;
    } else {
      m_segments[i].end = m_segments[i].begin;
    }
  }
}

std::optional<std::uint64_t> TrackBuffer::head(Time now) const {
  if (!m_stream) return std::nullopt;
  return frontier(now);
}

std::uint64_t TrackBuffer::end_of(std::size_t index, Time now) const {
  return m_stream && m_stream->segment == index ? frontier(now) : m_segments[index].end;
}

std::uint64_t TrackBuffer::begin_of(std::size_t index, Time now) const {
  const std::uint64_t end = end_of(index, now);
  return std::max(m_segments[index].begin, end > m_capacity ? end - m_capacity : 0);
}

std::uint64_t TrackBuffer::frontier(Time now) const {
  return std::min(m_stream->limit, m_platter.reached(m_stream->from, now - m_stream->since));
}

/// The segment that this range continues, or the one that was not used for longest.
std::size_t TrackBuffer::segment_for(std::uint64_t offset) {
  for (std::size_t i = 0; i < m_segments.size(); ++i) {
    const Segment& segment = m_segments[i];
    if (segment.begin < segment.end && offset >= segment.begin && offset <= segment.end) return i;
  }
  if (m_segments.size() < m_limit) m_segments.push_back({});
  const auto oldest = std::min_element(m_segments.begin(), m_segments.end(),
                                       [](const Segment& a, const Segment& b) { return a.last_use < b.last_use; });
  *oldest = Segment{offset, offset, 0};
  return static_cast<std::size_t>(oldest - m_segments.begin());
}

}  // namespace swaprig::simdrive
