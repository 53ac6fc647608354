#pragma once

// How a time grows with a size: time ~ size^exponent, as a straight line through logarithms.

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace swaprig::stats {

/// One observation: one boot's time for one size.
struct SizedTime {
  double size = 0;
  double seconds = 0;
};

/// How an interval came about.
enum class GrowthBasis {
  none,    ///< too little for one
  boots,   ///< t-interval over the exponents of single boots
  points,  ///< t-interval of the slope of one regression over all observations
};

struct Growth {
  double exponent = 0;  ///< 0: the size does not matter; 1: twice the size takes twice the time
  std::optional<std::pair<double, double>> interval95;
  GrowthBasis basis = GrowthBasis::none;
  int boots = 0;         ///< with a time for at least two sizes
  int observations = 0;  ///< with a positive size and time
};

/// The slope of ln(time) on ln(size) by least squares, and what it takes to tell its spread.
struct LogSlope {
  double slope = 0;
  int points = 0;
  int sizes = 0;                         ///< different ones
  std::optional<double> standard_error;  ///< from 3 points on; degrees of freedom: points - 2
};

/// Nothing with fewer than two different sizes. Observations without a positive, finite size and time are left out.
std::optional<LogSlope> log_slope(std::span<const SizedTime> observations);

/// `boots` holds the observations of each boot. With 3 boots or more that have at least two sizes, the exponent is the mean
/// of the boots' own exponents and its 95 % interval is Student's over them (boots - 1 degrees of freedom): boots are
/// independent of each other, sizes within one are not. With fewer boots it is the slope through all observations, with
/// the interval of a regression (observations - 2), from 3 different sizes on: it takes scatter and any bend of the line
/// for noise, and knows nothing of what differs from boot to boot. Nothing without two different sizes in one boot.
std::optional<Growth> growth(std::span<const std::vector<SizedTime>> boots);

}  // namespace swaprig::stats
