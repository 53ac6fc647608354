#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "base/assert.hpp"
#include "stats/summary.hpp"

namespace swaprig::stats {

namespace {

constexpr double k_alpha = 0.05;

double t_quantile(double probability, int degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double two_sided_p(double t, int degrees) {
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

/// Without any spread t is infinite: differences that all agree are certain, and no difference is p = 1.
double p_of(double mean, double deviation, int pairs) {
  if (deviation > 0) return two_sided_p(mean * std::sqrt(pairs) / deviation, pairs - 1);
  return sign(mean) == 0 ? 1.0 : 0.0;
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
  const double error = deviation / std::sqrt(result.pairs);
  result.deviation = deviation;
  result.interval95 = interval(mean, t_quantile(0.975, result.pairs - 1) * error);
  result.interval90 = interval(mean, t_quantile(0.95, result.pairs - 1) * error);
  result.word = Word::indication_only;
  if (result.pairs < k_pairs_for_a_verdict) return result;

  result.p = p_of(mean, deviation, result.pairs);
  if (differs(result, best_baseline, best_other)) {
    result.word = result.effect < 0 ? Word::faster : Word::slower;
  } else if (inside_the_band(result)) {
    result.word = Word::equivalent;
  } else {
    make_inconclusive(result);
  }
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
