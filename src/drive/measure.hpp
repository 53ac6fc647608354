#pragma once

// Measuring a drive by reading it with fio: where, with which words, and what fio's answer says. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/command.hpp"
#include "base/duration.hpp"

namespace swaprig::drive {

/// What of a drive is known before it is measured.
struct DriveFacts {
  std::string title;  ///< maker, model, size; safe to show
  Bytes size;
  Bytes logical_sector;
  Bytes physical_sector;
  std::optional<bool> rotational;  ///< as the kernel or the profile says

  friend bool operator==(const DriveFacts&, const DriveFacts&) = default;
};

/// How fio reaches it: a path, or the socket of an NBD server.
struct MeasureTarget {
  std::string path;
  std::string nbd_socket;
};

/// One reading by fio of one part of the drive.
struct MeasureStep {
  enum class Kind { sequential, random };

  Kind kind = Kind::sequential;
  std::string place;  ///< "start", "middle", "end", "whole drive"; of a sequential one its part, "25 %"
  Bytes offset;
  Bytes span;

  friend bool operator==(const MeasureStep&, const MeasureStep&) = default;
};

inline constexpr Bytes k_least_to_measure = mib(64);

/// Sequential reads at that many places along the drive, the first at its start and the last at its end, then random
/// ones at start, middle, end and over all of it. Needs `places` of 2 or more and k_least_to_measure.
std::vector<MeasureStep> measure_steps(Bytes size, int places);

/// fio's words for one step: it only reads, past the host's cache. Sequential: 1 MiB, four in flight; random: 4 KiB,
/// one at a time.
Command fio_command(const MeasureTarget& target, const MeasureStep& step, Seconds time);

/// What one step measured.
struct Reading {
  MeasureStep step;
  double bytes_per_s = 0;
  Bytes read;
  Seconds mean{0};  ///< latencies, from submission to completion
  Seconds low{0};   ///< 5th percentile
  Seconds median{0};
  Seconds high{0};  ///< 95th percentile
  std::uint64_t reads = 0;
};

/// fio's JSON, whatever it wrote before it. Throws HostError that says what is missing, or which error fio reports.
Reading parse_fio(const MeasureStep& step, std::string_view output);

/// A place of the curve.
struct CurvePoint {
  double fraction = 0;  ///< of the drive's capacity: the middle of what was read
  double bytes_per_s = 0;
};

/// All that was measured of one drive.
struct DriveCurve {
  DriveFacts facts;
  std::vector<Reading> sequential;
  std::vector<Reading> random;

  std::vector<CurvePoint> points() const;
  /// The random reading of that place; asserts that there is one.
  const Reading& at(std::string_view place) const;
};

/// For the terminal: a line for each place, with a bar; then the latencies.
std::string curve_text(const DriveCurve& curve);

}  // namespace swaprig::drive
