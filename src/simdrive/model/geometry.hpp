#pragma once

#include <cstdint>
#include <memory>

#include "simdrive/model/parameters.hpp"

namespace swaprig::simdrive {

/// Where bytes lie on the platters and how long the arm takes. All bytes of a drive form one path; `turns` is the
/// angle, in whole turns from the drive's first byte, that the platter has made when that path is followed.
class Platter {
 public:
  explicit Platter(double seconds_per_turn) : m_seconds_per_turn(seconds_per_turn) {}
  virtual ~Platter() = default;

  /// The angle at which the byte at `offset` begins; non-decreasing.
  virtual double turns_at(std::uint64_t offset) const = 0;
  /// The angle right behind the byte before `offset`: below turns_at(offset) where a skew lies between them.
  virtual double turns_behind(std::uint64_t offset) const = 0;
  /// The byte under the head at this angle of the path (within a skew: the one behind it).
  virtual std::uint64_t offset_at(double turns) const = 0;
  /// The time that the arm (or the change of head) takes from one byte's track to another's.
  virtual Time seek(std::uint64_t from, std::uint64_t to) const = 0;
  /// The arm's way as a part of the full stroke, 0 to 1.
  virtual double distance(std::uint64_t from, std::uint64_t to) const = 0;

  double seconds_per_turn() const { return m_seconds_per_turn; }
  /// How long the platter turns from `now` until the byte at `offset` is under a head on its track: less than a turn,
  /// and negative by some nanoseconds when it is there already.
  Time rotation_wait(Time now, std::uint64_t offset) const;
  /// From the beginning of the first byte to the end of the last, skews and head changes included.
  Time transfer(std::uint64_t offset, std::uint64_t length) const;
  /// The byte under a head that began at `offset` and has followed the path for this time.
  std::uint64_t reached(std::uint64_t offset, Time time) const;

 private:
  double m_seconds_per_turn;
};

std::unique_ptr<Platter> make_platter(const DriveParameters& drive);

}  // namespace swaprig::simdrive
