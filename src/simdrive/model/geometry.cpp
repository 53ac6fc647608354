#include "simdrive/model/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace swaprig::simdrive {

namespace {

/// A byte that passed this little ago counts as being under the head: rounding must not cost a whole turn. The
/// difference is given back as a negative wait, so that roundings do not add up either.
constexpr double k_same_angle = 4e-6;

/// One spiral whose rate falls evenly with the radius. At the capacity fraction f the rate is
/// R(f) = sqrt(Ro^2 - f (Ro^2 - Ri^2)): capacity per radius is proportional to the rate.
class Spiral final : public Platter {
 public:
  explicit Spiral(const DriveParameters& drive)
      : Platter(60.0 / static_cast<double>(drive.hdd.rpm)),
        m_size(static_cast<double>(drive.size)),
        m_outer(static_cast<double>(drive.hdd.outer_rate)),
        m_inner(static_cast<double>(drive.hdd.inner_rate)),
        m_turns(m_size / ((m_outer + m_inner) / 2 * seconds_per_turn())),
        m_track(in_seconds(drive.hdd.seek_track)),
        m_average(in_seconds(drive.hdd.seek_average)),
        m_full(in_seconds(drive.hdd.seek_full)) {}

  double turns_at(std::uint64_t offset) const override { return radius(offset) * m_turns; }
  double turns_behind(std::uint64_t offset) const override { return turns_at(offset); }

  std::uint64_t offset_at(double turns) const override {
    const double radius = std::clamp(turns / m_turns, 0.0, 1.0);
    if (m_outer == m_inner) return static_cast<std::uint64_t>(radius * m_size);
    const double rate = m_outer + (m_inner - m_outer) * radius;
    return static_cast<std::uint64_t>((m_outer * m_outer - rate * rate) / (m_outer * m_outer - m_inner * m_inner) *
                                      m_size);
  }

  Time seek(std::uint64_t from, std::uint64_t to) const override {
    const double way = distance(from, to);
    if (way * m_turns < k_turns_without_seek) return Time{0};
    if (way <= k_average_way) return from_seconds(m_track + (m_average - m_track) * std::sqrt(way / k_average_way));
    return from_seconds(m_average + (m_full - m_average) * (way - k_average_way) / (1 - k_average_way));
  }

  double distance(std::uint64_t from, std::uint64_t to) const override { return std::abs(radius(to) - radius(from)); }

 private:
  /// The mean way between two random places, where the published average seek is taken to lie.
  static constexpr double k_average_way = 1.0 / 3;
  /// Within a turn or two the head stays on the spiral: waiting for the sector is all it costs.
  static constexpr double k_turns_without_seek = 2;

  /// 0 at the outer edge, 1 at the inner.
  double radius(std::uint64_t offset) const {
    const double fraction = static_cast<double>(offset) / m_size;
    if (m_outer == m_inner) return fraction;
    const double rate = std::sqrt(m_outer * m_outer - fraction * (m_outer * m_outer - m_inner * m_inner));
    return (m_outer - rate) / (m_outer - m_inner);
  }

  double m_size;
  double m_outer;
  double m_inner;
  double m_turns;
  double m_track;
  double m_average;
  double m_full;
};

/// Published cylinders, heads and sectors. A skew that is too small for the switch it covers costs whole turns more,
/// as it does on a real drive.
class Cylinders final : public Platter {
 public:
  explicit Cylinders(const DriveParameters& drive)
      : Platter(60.0 / static_cast<double>(drive.hdd.rpm)),
        m_hdd(drive.hdd),
        m_sector(drive.logical_sector),
        m_sectors(static_cast<double>(drive.hdd.sectors_per_track)),
        m_track_gap(gap(drive.hdd.track_skew, drive.hdd.head_switch)),
        m_cylinder_gap(gap(drive.hdd.cylinder_skew, cylinder_seek(1))),
        m_tracks_of_cylinder(static_cast<double>(drive.hdd.heads)),
        m_last_track(drive.hdd.cylinders * drive.hdd.heads - 1) {}

  double turns_at(std::uint64_t offset) const override {
    const std::uint64_t track = std::min(offset / track_bytes(), m_last_track);
    return (start_of(track) + static_cast<double>(offset - track * track_bytes()) / static_cast<double>(m_sector)) /
           m_sectors;
  }

  double turns_behind(std::uint64_t offset) const override {
    if (offset == 0 || offset % track_bytes() != 0) return turns_at(offset);
    return (start_of(offset / track_bytes() - 1) + m_sectors) / m_sectors;
  }

  std::uint64_t offset_at(double turns) const override {
    const double angle = std::max(turns, 0.0) * m_sectors;
    const double cylinder_angle = m_tracks_of_cylinder * (m_sectors + m_track_gap) - m_track_gap + m_cylinder_gap;
    const double cylinder = std::floor(angle / cylinder_angle);
    const double within = angle - cylinder * cylinder_angle;
    const double head = std::min(std::floor(within / (m_sectors + m_track_gap)), m_tracks_of_cylinder - 1);
    const double sector = std::min(within - head * (m_sectors + m_track_gap), m_sectors);
    const double bytes =
        ((cylinder * m_tracks_of_cylinder + head) * m_sectors + sector) * static_cast<double>(m_sector);
    return static_cast<std::uint64_t>(std::llround(bytes));
  }

  Time seek(std::uint64_t from, std::uint64_t to) const override {
    const std::uint64_t from_track = std::min(from / track_bytes(), m_last_track);
    const std::uint64_t to_track = std::min(to / track_bytes(), m_last_track);
    if (from_track == to_track) return Time{0};
    const std::uint64_t way = cylinders_between(from_track, to_track);
    return way == 0 ? m_hdd.head_switch : cylinder_seek(way);
  }

  double distance(std::uint64_t from, std::uint64_t to) const override {
    if (m_hdd.cylinders < 2) return 0;
    const auto way =
        cylinders_between(std::min(from / track_bytes(), m_last_track), std::min(to / track_bytes(), m_last_track));
    return static_cast<double>(way) / static_cast<double>(m_hdd.cylinders - 1);
  }

 private:
  std::uint64_t track_bytes() const { return m_hdd.sectors_per_track * m_sector; }

  std::uint64_t cylinders_between(std::uint64_t from_track, std::uint64_t to_track) const {
    const std::uint64_t from = from_track / m_hdd.heads;
    const std::uint64_t to = to_track / m_hdd.heads;
    return from > to ? from - to : to - from;
  }

  Time cylinder_seek(std::uint64_t cylinders) const {
    const auto way = static_cast<double>(cylinders);
    if (cylinders < m_hdd.seek_near_limit) {
      return from_seconds(in_seconds(m_hdd.seek_near_base) + in_seconds(m_hdd.seek_near_root) * std::sqrt(way));
    }
    return from_seconds(in_seconds(m_hdd.seek_far_base) + in_seconds(m_hdd.seek_far_slope) * way);
  }

  /// Sectors that pass between two tracks of the path: the skew, and whole turns until it covers the switch.
  double gap(std::uint64_t skew, Time switch_time) const {
    const double needed = in_seconds(switch_time) / seconds_per_turn() * m_sectors;
    const auto given = static_cast<double>(skew);
    return given + m_sectors * std::ceil(std::max(0.0, needed - given) / m_sectors);
  }

  /// The angle, in sectors, at which a track begins.
  double start_of(std::uint64_t track) const {
    const auto cylinder = static_cast<double>(track / m_hdd.heads);
    const auto tracks = static_cast<double>(track);
    return tracks * m_sectors + (tracks - cylinder) * m_track_gap + cylinder * m_cylinder_gap;
  }

  HddParameters m_hdd;
  std::uint64_t m_sector;
  double m_sectors;
  double m_track_gap;
  double m_cylinder_gap;
  double m_tracks_of_cylinder;
  std::uint64_t m_last_track;
};

}  // namespace

Time Platter::rotation_wait(Time now, std::uint64_t offset) const {
  double angle = turns_at(offset) - in_seconds(now) / m_seconds_per_turn;
  angle -= std::floor(angle);
  if (angle > 1 - k_same_angle) angle -= 1;
  return from_seconds(angle * m_seconds_per_turn);
}

Time Platter::transfer(std::uint64_t offset, std::uint64_t length) const {
  return from_seconds((turns_behind(offset + length) - turns_at(offset)) * m_seconds_per_turn);
}

std::uint64_t Platter::reached(std::uint64_t offset, Time time) const {
  if (time <= Time{0}) return offset;
  return std::max(offset, offset_at(turns_behind(offset) + in_seconds(time) / m_seconds_per_turn));
}

std::unique_ptr<Platter> make_platter(const DriveParameters& drive) {
  if (drive.geometry == Geometry::cylinders) return std::make_unique<Cylinders>(drive);
  return std::make_unique<Spiral>(drive);
}

}  // namespace swaprig::simdrive
