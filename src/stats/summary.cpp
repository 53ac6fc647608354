#include "stats/summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "base/assert.hpp"

namespace swaprig::stats {

namespace {

constexpr double k_outlier_reach = 3.0 * k_mad_scale;
constexpr double k_outlier_floor = 0.02;  // of the median; handles MAD = 0
constexpr int k_deviation_from = 5;
constexpr int k_bootstrap_from = 10;
constexpr int k_resamples = 2000;

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

double median_of_sorted(std::span<const double> values) {
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median_absolute_deviation(std::span<const double> values, double around) {
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - around));
  return median(distances);
}

/// The same values, in whatever order, give the same seed on every machine.
std::uint64_t seed_of(std::span<const double> ordered) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const double value : ordered) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
  return hash;
}

/// Percentile bootstrap of the median. Indexes come straight from the generator: the library's distributions differ
/// between implementations.
std::pair<double, double> bootstrap_median(std::span<const double> ordered) {
  std::mt19937_64 random(seed_of(ordered));
  std::vector<double> medians;
  medians.reserve(k_resamples);
  std::vector<double> sample(ordered.size());
  for (int i = 0; i < k_resamples; ++i) {
    for (double& value : sample) value = ordered[random() % ordered.size()];
    std::sort(sample.begin(), sample.end());
    medians.push_back(median_of_sorted(sample));
  }
  std::sort(medians.begin(), medians.end());
  constexpr std::size_t k_tail = k_resamples / 40;  // 2.5 %
  return {medians[k_tail], medians[k_resamples - 1 - k_tail]};
}

}  // namespace

double median(std::span<const double> values) {
  SWAPRIG_ASSERT(!values.empty());
  return median_of_sorted(sorted(values));
}

Summary summarise(std::span<const double> values) {
  SWAPRIG_ASSERT(!values.empty());
  const auto ordered = sorted(values);
  Summary summary;
  summary.count = static_cast<int>(values.size());
  summary.best = ordered.front();
  summary.worst = ordered.back();
  summary.median = median_of_sorted(ordered);
  summary.mad = median_absolute_deviation(values, summary.median);

  const double floor = k_outlier_floor * summary.median;
  const double reach = std::max(k_outlier_reach * summary.mad, floor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - summary.median) > reach) summary.outliers.push_back(static_cast<int>(i));
  }
  const double lucky_reach = summary.mad > 0 ? k_outlier_reach * summary.mad : floor;
  summary.lucky_best = summary.best < summary.median - lucky_reach;

  if (summary.count >= k_deviation_from) {
    const double mean = std::accumulate(ordered.begin(), ordered.end(), 0.0) / summary.count;
    double squares = 0;
    for (const double value : ordered) squares += (value - mean) * (value - mean);
    summary.deviation = std::sqrt(squares / (summary.count - 1));
  }
  if (summary.count >= k_bootstrap_from) summary.median_interval = bootstrap_median(ordered);
  return summary;
}

double expected_best(std::span<const double> values, int k) {
  const int n = static_cast<int>(values.size());
  SWAPRIG_ASSERT(1 <= k && k <= n);
  const auto ordered = sorted(values);
  // weight(i) = C(n-i, k-1) / C(n, k): starts at k/n, and C(n-i-1, k-1) / C(n-i, k-1) = (n-i-k+1) / (n-i).
  double weight = static_cast<double>(k) / n;
  double sum = 0;
  for (int i = 1; i + k - 1 <= n; ++i) {
    sum += weight * ordered[static_cast<std::size_t>(i - 1)];
    if (i < n) weight *= static_cast<double>(n - i - k + 1) / (n - i);
  }
  return sum;
}

double relevance_band(std::span<const double> earlier_aa_effects) {
  constexpr std::size_t k_enough = 10;
  constexpr double k_until_enough = 0.02;
  constexpr double k_least = 0.01;
  std::vector<double> sizes;
  for (const double effect : earlier_aa_effects) {
    if (std::isfinite(effect)) sizes.push_back(std::abs(effect));
  }
  if (sizes.size() < k_enough) return k_until_enough;
  std::sort(sizes.begin(), sizes.end());
  const double rank = 0.9 * static_cast<double>(sizes.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sizes.size() - 1);
  const double percentile = std::lerp(sizes[below], sizes[above], rank - static_cast<double>(below));
  return std::max(k_least, percentile);
}

}  // namespace swaprig::stats
