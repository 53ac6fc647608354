#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace swaprig::history {

inline constexpr std::size_t k_least_nights = 10;  ///< below it no change point is looked for

/// A stretch of nights at one level.
struct Level {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past its last night
  double seconds = 0;   ///< its median

  friend bool operator==(const Level&, const Level&) = default;
};

/// The scores' levels by the L1 Potts functional: of all divisions into stretches of two nights or more the one with the least
/// sum of |y - median of its stretch| + g for each stretch after the first, y = ln(seconds), g = 2 ln(n) times the scatter
/// from night to night (1.4826 * median |y_i+1 - y_i| / sqrt 2), that being at least a third of `delta`. So a lone night makes
/// no level (Storath, Weinmann, Unser: Jump-penalized least absolute values estimation, IEEE Signal Processing Letters 2014).
/// Neighbours less than `delta` apart are one level. One level with fewer than `k_least_nights` scores, none without a score.
/// Asserts that the scores are positive and `delta` is above 0. Time grows as n^2 log n.
std::vector<Level> levels(std::span<const double> seconds, double delta);

}  // namespace swaprig::history
