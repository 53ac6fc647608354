#pragma once

// A drive profile from what was measured of a drive. Pure.

#include <optional>
#include <string>
#include <vector>

#include "drive/measure.hpp"
#include "simdrive/model/parameters.hpp"

namespace swaprig::drive {

/// Turns a minute, and who says so.
struct Rotation {
  std::uint64_t rpm = 0;
  std::string source;
};

/// The rotation from how far the latencies of random reads near each other lie apart: they wait for anything from none
/// to one turn. Snaps to a rate that drives are built with when one is near; nothing when that gives no rate of a
/// drive.
std::optional<Rotation> estimated_rotation(const DriveCurve& curve);

/// The rates at both edges for R(f) = sqrt(Ro^2 - f (Ro^2 - Ri^2)), by least squares of the relative errors.
struct EdgeRates {
  double outer = 0;  ///< bytes per second
  double inner = 0;

  double at(double fraction) const;
};
EdgeRates fitted_rates(const std::vector<CurvePoint>& points);

/// The mean seek between random places of a range, as shares of the three seek figures of the spiral model.
struct SeekShares {
  double track = 0;
  double average = 0;
  double full = 0;
};
SeekShares seek_shares(const EdgeRates& rates, double from, double to);

/// Whether it behaves like a drive without an arm: the kernel says so, or reads take alike everywhere, below 1 ms.
bool looks_like_ssd(const DriveCurve& curve);

struct FittedFigure {
  std::string name;
  std::string value;   ///< as profiles have it
  std::string source;  ///< "assumed" when it was not measured
};

/// A profile as it will be written.
struct FittedProfile {
  simdrive::DriveKind kind = simdrive::DriveKind::hdd;
  std::string title;
  std::vector<FittedFigure> figures;
  EdgeRates rates;  ///< as its figures say; alike for an SSD
};

/// `when` is the day of measuring. For a drive with an arm `rotation` is needed. HostError when no drive could be like
/// this: reads faster than half a turn.
FittedProfile fit_profile(const DriveCurve& curve, const std::optional<Rotation>& rotation, const std::string& when);

/// experiments/drives/NAME.toml; `made_by` is one line of comment.
std::string to_toml(const FittedProfile& profile, const std::string& made_by);

/// The largest relative distance of the measured places from the fitted curve.
double worst_distance(const EdgeRates& rates, const std::vector<CurvePoint>& points);

}  // namespace swaprig::drive
