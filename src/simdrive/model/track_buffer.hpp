#pragma once

#include <optional>
#include <vector>

#include "simdrive/model/geometry.hpp"

namespace swaprig::simdrive {

/// The drive's read buffer: a few segments, the one read last still growing while the arm has nothing else to do.
class TrackBuffer {
 public:
  /// `segment` is the read-ahead, and what a segment keeps; 0 segments or bytes: no buffer. Keeps the reference.
  TrackBuffer(const Platter& platter, std::uint64_t segment, std::size_t segments, std::uint64_t drive_size);

  /// How many bytes from `offset` on are in the buffer at `now`, at most `length`.
  std::uint64_t cached(std::uint64_t offset, std::uint64_t length, Time now) const;
  /// The host took this range from the buffer: the read-ahead may go on.
  void used(std::uint64_t offset, std::uint64_t length, Time now);
  /// The arm has read until the end of this range, whose beginning may have been there before; it reads on from `now`.
  void filled(std::uint64_t offset, std::uint64_t length, Time now);
  /// The arm is needed elsewhere.
  void stop(Time now);
  /// The host wrote this range.
  void invalidate(std::uint64_t offset, std::uint64_t length, Time now);
  /// The byte under the head while it reads ahead.
  std::optional<std::uint64_t> head(Time now) const;

 private:
  struct Segment {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t last_use = 0;
  };
  /// The read-ahead of one segment: the head passed `from` at `since` and stops at `limit`.
  struct Stream {
    std::size_t segment = 0;
    std::uint64_t from = 0;
    Time since{0};
    std::uint64_t limit = 0;
  };

  std::uint64_t end_of(std::size_t index, Time now) const;
  std::uint64_t begin_of(std::size_t index, Time now) const;
  std::uint64_t frontier(Time now) const;
  std::size_t segment_for(std::uint64_t offset);

  const Platter& m_platter;
  std::uint64_t m_capacity;
  std::size_t m_limit;
  std::uint64_t m_drive_size;
  std::vector<Segment> m_segments;
  std::optional<Stream> m_stream;
  std::uint64_t m_uses = 0;
};

}  // namespace swaprig::simdrive
