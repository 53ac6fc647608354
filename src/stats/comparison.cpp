#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "base/assert.hpp"
#include "stats/summary.hpp"

namespace swaprig::stats {

namespace {

constexpr double k_alpha = 0.05;

double t_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double two_sided_p(double t, double degrees) {
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), std::abs(t)));
}

bool usable(double seconds) { return std::isfinite(seconds) && seconds > 0; }

std::vector<double> log_differences(std::span<const Pair> pairs) {
  std::vector<double> differences;
  for (const Pair& pair : pairs) {
    if (usable(pair.baseline) && usable(pair.other)) {
      differences.push_back(std::log(pair.other) - std::log(pair.baseline));
    }
  }
  return differences;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sample standard deviation in two passes.
double deviation_of(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::pair<double, double> interval(double mean, double reach) {
  return {std::expm1(mean - reach), std::expm1(mean + reach)};
}

int sign(double value) { return (value > 0) - (value < 0); }

int runs_to_settle(const Comparison& comparison) {
  constexpr double k_most = 1'000'000;
  const double t = t_quantile(1 - k_alpha / 2, comparison.pairs - 1);
  const double root = t * *comparison.deviation / comparison.delta;
  return static_cast<int>(std::ceil(std::min(root * root, k_most)));
}

void make_inconclusive(Comparison& comparison) {
  comparison.word = Word::inconclusive;
  comparison.runs_to_settle = runs_to_settle(comparison);
}

/// A difference of logarithms, however it came about.
struct Difference {
  double mean = 0;
  double error = 0;      ///< standard error of the mean
  double degrees = 0;    ///< of freedom
  double deviation = 0;  ///< of one such difference
};

/// Without any spread t is infinite: differences that all agree are certain, and no difference is p = 1.
double p_of(const Difference& difference) {
  if (difference.error > 0) return two_sided_p(difference.mean / difference.error, difference.degrees);
  return sign(difference.mean) == 0 ? 1.0 : 0.0;
}

bool differs(const Comparison& comparison, double best_baseline, double best_other) {
  const auto [low, high] = *comparison.interval95;
  return (low > 0 || high < 0) && std::abs(comparison.effect) >= comparison.delta &&
         sign(best_other - best_baseline) == sign(comparison.effect);
}

bool inside_the_band(const Comparison& comparison) {
  const auto [low, high] = *comparison.interval90;
  return low > -comparison.delta && high < comparison.delta;
}

bool is_difference(const Comparison& comparison) {
  return comparison.word == Word::faster || comparison.word == Word::slower;
}

/// The word, with everything that it rests on; `comparison` has pairs and delta.
void judge(Comparison& comparison, const Difference& difference, double best_baseline, double best_other) {
  comparison.deviation = difference.deviation;
  comparison.interval95 = interval(difference.mean, t_quantile(0.975, difference.degrees) * difference.error);
  comparison.interval90 = interval(difference.mean, t_quantile(0.95, difference.degrees) * difference.error);
  comparison.word = Word::indication_only;
  if (comparison.pairs < k_pairs_for_a_verdict) return;

  comparison.p = p_of(difference);
  if (differs(comparison, best_baseline, best_other)) {
    comparison.word = comparison.effect < 0 ? Word::faster : Word::slower;
  } else if (inside_the_band(comparison)) {
    comparison.word = Word::equivalent;
  } else {
    make_inconclusive(comparison);
  }
}

std::vector<double> logarithms(std::span<const double> seconds) {
  std::vector<double> values;
  for (const double value : seconds) {
    if (usable(value)) values.push_back(std::log(value));
  }
  return values;
}

/// Of two samples with two values or more. Without any spread there is nothing to weigh: the degrees of both count.
Difference welch(std::span<const double> baseline, std::span<const double> other) {
  const auto count = [](const auto& values) { return static_cast<double>(values.size()); };
  const double spread_a = deviation_of(baseline, mean_of(baseline));
  const double spread_b = deviation_of(other, mean_of(other));
  const double a = spread_a * spread_a / count(baseline);
  const double b = spread_b * spread_b / count(other);
  const double weights = a * a / (count(baseline) - 1) + b * b / (count(other) - 1);
  return {mean_of(other) - mean_of(baseline), std::sqrt(a + b),
          weights > 0 ? (a + b) * (a + b) / weights : count(baseline) + count(other) - 2,
          std::hypot(spread_a, spread_b)};
}

}  // namespace

Comparison compare(std::span<const Pair> pairs, double delta, double best_baseline, double best_other) {
  SWAPRIG_ASSERT(delta > 0);
  const auto differences = log_differences(pairs);
  Comparison result;
  result.delta = delta;
  result.pairs = static_cast<int>(differences.size());
  if (result.pairs == 0) return result;

  const double mean = mean_of(differences);
  result.effect = std::expm1(mean);
  result.word = Word::one_run;
  if (result.pairs == 1) return result;

  const double deviation = deviation_of(differences, mean);
  judge(result, {mean, deviation / std::sqrt(result.pairs), result.pairs - 1.0, deviation}, best_baseline, best_other);
  return result;
}

Comparison compare_unpaired(std::span<const double> baseline, std::span<const double> other, double delta,
                            double best_baseline, double best_other) {
  SWAPRIG_ASSERT(delta > 0);
  const auto a = logarithms(baseline);
  const auto b = logarithms(other);
  Comparison result;
  result.delta = delta;
  result.pairs = static_cast<int>(std::min(a.size(), b.size()));
  if (result.pairs == 0) return result;

  result.effect = std::expm1(mean_of(b) - mean_of(a));
  result.word = Word::one_run;
  if (result.pairs == 1) return result;
  judge(result, welch(a, b), best_baseline, best_other);
  return result;
}

void adjust_holm(std::span<Comparison> comparisons) {
  std::vector<Comparison*> family;
  for (Comparison& comparison : comparisons) {
    if (comparison.p) family.push_back(&comparison);
  }
  std::stable_sort(family.begin(), family.end(), [](const auto* a, const auto* b) { return *a->p < *b->p; });
  double highest = 0;
  for (std::size_t i = 0; i < family.size(); ++i) {
    Comparison& comparison = *family[i];
    highest = std::max(highest, std::min(1.0, static_cast<double>(family.size() - i) * *comparison.p));
    comparison.p_holm = highest;
    if (is_difference(comparison) && highest > k_alpha) make_inconclusive(comparison);
  }
}

Conclusion conclude(std::span<const Comparison> comparisons) {
  if (comparisons.empty()) return Conclusion::nothing_compared;
  if (std::any_of(comparisons.begin(), comparisons.end(), is_difference)) return Conclusion::difference;
  const bool all_equivalent =
      std::all_of(comparisons.begin(), comparisons.end(), [](const auto& one) { return one.word == Word::equivalent; });
  return all_equivalent ? Conclusion::no_relevant_change : Conclusion::no_difference_shown;
}

bool precise_enough(int blocks_done, std::span<const Comparison> comparisons, double delta) {
  if (blocks_done < 4 || blocks_done % 2 != 0 || comparisons.empty()) return false;
  return std::all_of(comparisons.begin(), comparisons.end(), [delta](const Comparison& comparison) {
    if (!comparison.interval95) return false;
    const auto [low, high] = *comparison.interval95;
    return (high - low) / 2 <= delta / 2;
  });
}

}  // namespace swaprig::stats
