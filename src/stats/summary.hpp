#pragma once

// Numbers in, numbers out. Rules and formulas: statistics of one batch at small N.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace swaprig::stats {

/// Of the finished, valid times of one scenario, in seconds.
struct Summary {
  int count = 0;
  double best = 0;
  double median = 0;
  double mad = 0;                          ///< median absolute deviation, not scaled
  double worst = 0;
  std::optional<double> deviation;         ///< sample standard deviation, from 5 values on
  std::optional<std::pair<double, double>> median_interval;   ///< 95 % bootstrap of the median, from 10 values on
  bool lucky_best = false;                 ///< best < median - 3 * 1.4826 * MAD
  std::vector<int> outliers;               ///< indexes into the values; flagged, never removed
};

/// Asserts that there is a value. The bootstrap is seeded by the values alone.
Summary summarise(std::span<const double> values);

/// Expected best of k out of n values: sum of x_(i) C(n-i, k-1) / C(n, k). Asserts 1 <= k <= n.
double expected_best(std::span<const double> values, int k);

/// Two times of one block; what a scenario and the baseline took.
struct Pair {
  double baseline = 0;
  double other = 0;
};

enum class Word { faster, slower, equivalent, inconclusive, indication_only, one_run, no_pairs };

struct Comparison {
  Word word = Word::no_pairs;
  int pairs = 0;
  double effect = 0;                                    ///< exp(mean d) - 1; positive: slower than the baseline
  std::optional<std::pair<double, double>> interval95;  ///< from 2 pairs on
  std::optional<std::pair<double, double>> interval90;
  std::optional<double> p;                              ///< paired t on logarithms, two-sided
  std::optional<double> p_holm;                         ///< filled by `adjust_holm`
  std::optional<int> runs_to_settle;                    ///< when inconclusive
};

/// `delta`: the band of what does not matter, as a fraction. `best_baseline` and `best_other` are the scores whose sign has
/// to agree with the effect.
Comparison compare(std::span<const Pair> pairs, double delta, double best_baseline, double best_other);

/// Holm's correction over the comparisons that have a p; a faster or slower whose corrected p is above 0.05 becomes
/// inconclusive.
void adjust_holm(std::span<Comparison> comparisons);

/// max(1 %, 90th percentile of earlier |A/A| effects); 2 % until ten exist.
double relevance_band(std::span<const double> earlier_aa_effects);

/// Whether a batch with `precision` may stop: after 4 blocks and every even block from there.
bool precise_enough(int blocks_done, std::span<const Comparison> comparisons, double delta);

}  // namespace swaprig::stats
