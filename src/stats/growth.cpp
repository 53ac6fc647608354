#include "stats/growth.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <set>

namespace swaprig::stats {

namespace {

constexpr int k_boots_for_an_interval = 3;
constexpr int k_sizes_for_an_interval = 3;
constexpr double k_upper_tail = 0.975;

double t_of_95(int degrees) { return boost::math::quantile(boost::math::students_t(degrees), k_upper_tail); }

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

std::pair<double, double> around(double middle, double reach) { return {middle - reach, middle + reach}; }

/// Mean and its 95 % interval over the boots' own exponents.
Growth over_boots(const std::vector<double>& exponents) {
  const auto count = static_cast<double>(exponents.size());
  Growth result;
  for (const double exponent : exponents) result.exponent += exponent / count;
  double squares = 0;
  for (const double exponent : exponents) squares += (exponent - result.exponent) * (exponent - result.exponent);
  const double error = std::sqrt(squares / (count - 1) / count);
  result.interval95 = around(result.exponent, t_of_95(static_cast<int>(exponents.size()) - 1) * error);
  result.basis = GrowthBasis::boots;
  return result;
}

Growth over_points(const LogSlope& slope) {
  Growth result;
  result.exponent = slope.slope;
  if (!slope.standard_error || slope.sizes < k_sizes_for_an_interval) return result;
  result.interval95 = around(slope.slope, t_of_95(slope.points - 2) * *slope.standard_error);
  result.basis = GrowthBasis::points;
  return result;
}

}  // namespace

std::optional<LogSlope> log_slope(std::span<const SizedTime> observations) {
  std::vector<SizedTime> logs;
  std::set<double> sizes;
  for (const auto& one : observations) {
    if (!is_positive(one.size) || !is_positive(one.seconds)) continue;
    logs.push_back({std::log(one.size), std::log(one.seconds)});
    sizes.insert(one.size);
  }
  if (sizes.size() < 2) return std::nullopt;

  const auto count = static_cast<double>(logs.size());
  double mean_size = 0;
  double mean_time = 0;
  for (const auto& one : logs) mean_size += one.size / count, mean_time += one.seconds / count;
  double across = 0;
  double along = 0;
  for (const auto& one : logs) {
    across += (one.size - mean_size) * (one.size - mean_size);
    along += (one.size - mean_size) * (one.seconds - mean_time);
  }
  LogSlope result;
  result.slope = along / across;
  result.points = static_cast<int>(logs.size());
  result.sizes = static_cast<int>(sizes.size());
  if (result.points < 3) return result;
  double residuals = 0;
  for (const auto& one : logs) {
    const double residual = one.seconds - mean_time - result.slope * (one.size - mean_size);
    residuals += residual * residual;
  }
  result.standard_error = std::sqrt(residuals / (count - 2) / across);
  return result;
}

std::optional<Growth> growth(std::span<const std::vector<SizedTime>> boots) {
  std::vector<SizedTime> all;
  std::vector<double> exponents;
  for (const auto& boot : boots) {
    if (const auto slope = log_slope(boot)) exponents.push_back(slope->slope);
    all.insert(all.end(), boot.begin(), boot.end());
  }
  const auto slope = log_slope(all);
  if (!slope || exponents.empty()) return std::nullopt;
  auto result = static_cast<int>(exponents.size()) >= k_boots_for_an_interval ? over_boots(exponents) : over_points(*slope);
  result.boots = static_cast<int>(exponents.size());
  result.observations = slope->points;
  return result;
}

}  // namespace swaprig::stats
