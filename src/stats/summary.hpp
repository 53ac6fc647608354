#pragma once

// Numbers in, numbers out. Rules and formulas: statistics of one batch at small N.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace swaprig::stats {

/// Scales a MAD to the standard deviation of a normal distribution.
inline constexpr double k_mad_scale = 1.4826;

/// Verdicts need this many pairs; below it there is an indication only.
inline constexpr int k_pairs_for_a_verdict = 4;

/// Of the finished, valid times of one scenario, in seconds.
struct Summary {
  int count = 0;
  double best = 0;
  double median = 0;
  double mad = 0;  ///< median absolute deviation, not scaled
  double worst = 0;
  std::optional<double> deviation;                           ///< sample standard deviation, from 5 values on
  std::optional<std::pair<double, double>> median_interval;  ///< 95 % bootstrap of the median, from 10 values on
  bool lucky_best = false;    ///< best < median - 3 * 1.4826 * MAD; with MAD = 0: 2 % below the median
  std::vector<int> outliers;  ///< indexes into the values; flagged, never removed
};

/// Asserts that there is a value. The bootstrap is seeded by the values alone.
Summary summarise(std::span<const double> values);

/// Middle value, or the mean of the two middle ones. Asserts that there is a value.
double median(std::span<const double> values);

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
  double delta = 0;                                     ///< the band that the verdict was given with
  std::optional<double> deviation;                      ///< s_d of the differences of logarithms, from 2 pairs on
  std::optional<std::pair<double, double>> interval95;  ///< from 2 pairs on
  std::optional<std::pair<double, double>> interval90;
  std::optional<double> p;            ///< paired t on logarithms, two-sided; from 4 pairs on
  std::optional<double> p_holm;       ///< filled by `adjust_holm`
  std::optional<int> runs_to_settle;  ///< when inconclusive: ceil((t * s_d / delta)^2)
};

/// `delta`: the band of what does not matter, as a fraction above 0. `best_baseline` and `best_other` are the scores
/// whose sign has to agree with the effect. A pair with a time that is not a positive number is left out.
Comparison compare(std::span<const Pair> pairs, double delta, double best_baseline, double best_other);

/// The same words for times of two executions, which nothing pairs: Welch's t on logarithms, its degrees of freedom by
/// Welch and Satterthwaite. `pairs` is the smaller number of the two. A time that is not a positive number is left out.
Comparison compare_unpaired(std::span<const double> baseline, std::span<const double> other, double delta,
                            double best_baseline, double best_other);

/// Holm's correction over the comparisons that have a p; a faster or slower whose corrected p is above 0.05 becomes
/// inconclusive.
void adjust_holm(std::span<Comparison> comparisons);

/// What a whole page may say. `no_relevant_change` only if every verdict is `equivalent`.
enum class Conclusion { difference, no_relevant_change, no_difference_shown, nothing_compared };

Conclusion conclude(std::span<const Comparison> comparisons);

/// max(1 %, 90th percentile of earlier |A/A| effects, interpolated between ranks); 2 % until ten exist.
double relevance_band(std::span<const double> earlier_aa_effects);

/// Whether a batch with `precision` may stop: after 4 blocks and every even block from there, when the half-width of
/// every 95 % interval is at most delta / 2. Never without a comparison.
bool precise_enough(int blocks_done, std::span<const Comparison> comparisons, double delta);

}  // namespace swaprig::stats
