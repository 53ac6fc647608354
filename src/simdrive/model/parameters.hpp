#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simdrive/model/request.hpp"

namespace swaprig::simdrive {

enum class DriveKind { hdd, ssd, null };

/// How sectors lie on an HDD: one zoned spiral, or published cylinders, heads and sectors.
enum class Geometry { none, spiral, cylinders };

/// Rates are bytes per second, sizes bytes. Which geometry's fields count is `geometry`'s business.
struct HddParameters {
  std::uint64_t rpm = 0;
  Time command_overhead{0};          ///< of the controller, per command; the arm does not wait for it when it is busy
  Time write_settle{0};              ///< added to a seek that is followed by a write
  std::uint64_t interface_rate = 0;  ///< between the drive's buffer and the host
  std::uint64_t read_ahead = 0;      ///< of one buffer segment; 0: no track buffer
  std::uint64_t segments = 0;        ///< streams that the buffer remembers
  std::uint64_t write_cache = 0;     ///< 0: write through
  Time age_limit{0};                 ///< a command that waits longer than this is served before nearer ones

  // spiral
  std::uint64_t outer_rate = 0;
  std::uint64_t inner_rate = 0;
  Time seek_track{0};
  Time seek_average{0};
  Time seek_full{0};

  // cylinders; the seek over d cylinders takes near_base + near_root sqrt(d) below `near_limit`, and from there
  // far_base + far_slope d
  std::uint64_t cylinders = 0;
  std::uint64_t heads = 0;
  std::uint64_t sectors_per_track = 0;
  std::uint64_t track_skew = 0;     ///< sectors
  std::uint64_t cylinder_skew = 0;  ///< sectors
  Time head_switch{0};
  Time seek_near_base{0};
  Time seek_near_root{0};
  std::uint64_t seek_near_limit = 0;
  Time seek_far_base{0};
  Time seek_far_slope{0};

  friend bool operator==(const HddParameters&, const HddParameters&) = default;
};

struct SsdParameters {
  Time read_latency{0};  ///< per command, without the transfer
  Time write_latency{0};
  Time flush_latency{0};
  Time trim_latency{0};
  std::uint64_t read_rate = 0;
  std::uint64_t write_rate = 0;
  std::uint64_t channels = 0;  ///< commands that are served at the same time

  friend bool operator==(const SsdParameters&, const SsdParameters&) = default;
};

/// Everything that makes up one drive's timing.
struct DriveParameters {
  DriveKind kind = DriveKind::null;
  Geometry geometry = Geometry::none;
  std::uint64_t size = 0;
  std::uint64_t logical_sector = 512;
  std::uint64_t physical_sector = 512;
  std::uint64_t queue_depth = 32;  ///< commands inside the drive; 1: no queueing
  HddParameters hdd;
  SsdParameters ssd;

  friend bool operator==(const DriveParameters&, const DriveParameters&) = default;
};

enum class Unit { count, bytes, rate, duration };

/// One figure of a drive: its name in profiles and in the plugin's parameters, and where it is kept.
/// Durations are nanoseconds, rates bytes per second.
struct Field {
  std::string_view name;
  Unit unit;
  std::uint64_t (*get)(const DriveParameters&);
  void (*set)(DriveParameters&, std::uint64_t);
};

/// The figures that a drive of this kind and geometry has; each of them has to be given.
std::vector<Field> fields_of(DriveKind kind, Geometry geometry);

/// Names of every figure of any kind, for "did you mean".
std::vector<std::string> all_field_names();

/// "hdd", "ssd", "null"; "spiral", "cylinders". False when there is no such name.
bool parse_kind(std::string_view name, DriveKind& kind);
bool parse_geometry(std::string_view name, Geometry& geometry);
std::string_view name_of(DriveKind kind);
std::string_view name_of(Geometry geometry);

/// One impossible figure: the name of the field that is wrong and why, in words.
struct Fault {
  std::string field;
  std::string message;

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Every figure that no drive can have: an inner rate above the outer one, a size that is not whole sectors, ...
std::vector<Fault> faults_of(const DriveParameters& parameters);

/// "name=value" for every figure, kind and geometry first; read back by `decode`.
std::vector<std::string> encode(const DriveParameters& parameters);

/// The inverse of `encode`: takes one pair, kind first. Returns what is wrong with it, or nothing.
/// `known` tells whether the name is one of the drive's figures at all.
std::string decode(DriveParameters& parameters, std::string_view name, std::string_view value, bool& known);

/// A whole decimal number, or false.
bool parse_number(std::string_view text, std::uint64_t& value);

}  // namespace swaprig::simdrive
