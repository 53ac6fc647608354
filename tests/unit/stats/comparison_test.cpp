#include <array>
#include <cmath>
#include <vector>

#include "stats/summary.hpp"
#include "support/catch.hpp"

using namespace swaprig::stats;

namespace {

/// Pairs whose differences of logarithms are exactly these, around a baseline of 100 s.
std::vector<Pair> pairs_of(const std::vector<double>& log_differences) {
  std::vector<Pair> pairs;
  for (const double difference : log_differences) pairs.push_back({100, 100 * std::exp(difference)});
  return pairs;
}

Comparison compare_logs(const std::vector<double>& log_differences, double delta) {
  const auto pairs = pairs_of(log_differences);
  double best_baseline = pairs.front().baseline;
  double best_other = pairs.front().other;
  for (const auto& pair : pairs) {
    best_baseline = std::min(best_baseline, pair.baseline);
    best_other = std::min(best_other, pair.other);
  }
  return compare(pairs, delta, best_baseline, best_other);
}

}  // namespace

TEST_CASE("effect and intervals of four pairs") {
  // d = 0.10 0.12 0.08 0.10: mean 0.10; squares 0 + 0.0004 + 0.0004 + 0 = 0.0008, / 3, root: s_d = 0.0163299.
  // Standard error 0.0163299 / 2 = 0.00816497. t(0.975, 3) = 3.182446, reach 0.0259845;
  // t(0.95, 3) = 2.353363, reach 0.0192151.
  const auto result = compare_logs({0.10, 0.12, 0.08, 0.10}, 0.02);
  CHECK(result.pairs == 4);
  CHECK(result.effect == Approx(std::exp(0.10) - 1));
  REQUIRE(result.interval95);
  CHECK(result.interval95->first == Approx(std::exp(0.10 - 0.0259845) - 1).epsilon(1e-5));
  CHECK(result.interval95->second == Approx(std::exp(0.10 + 0.0259845) - 1).epsilon(1e-5));
  REQUIRE(result.interval90);
  CHECK(result.interval90->first == Approx(std::exp(0.10 - 0.0192151) - 1).epsilon(1e-5));
  CHECK(result.interval90->second == Approx(std::exp(0.10 + 0.0192151) - 1).epsilon(1e-5));
  // t = 0.10 / 0.00816497 = 12.2474 with 3 degrees of freedom:
  // p = 1 - (2 / pi) (u / (1 + u^2) + atan u), u = t / sqrt 3 = 7.0711; u / (1 + u^2) = 0.1386; atan u = 1.43031.
  REQUIRE(result.p);
  CHECK(*result.p == Approx(0.001172).epsilon(1e-3));
  CHECK(result.word == Word::slower);
  CHECK_FALSE(result.runs_to_settle);
}

TEST_CASE("case 20: one run against one run has no verdict") {
  const auto result = compare(std::array{Pair{10, 20}}, 0.02, 10, 20);
  CHECK(result.word == Word::one_run);
  CHECK(result.effect == Approx(1.0));
  CHECK_FALSE(result.interval95);
  CHECK_FALSE(result.p);
}

TEST_CASE("case 21: six against six, all of one twice the other, is slower") {
  SECTION("exactly twice: no spread in the differences") {
    std::vector<Pair> pairs;
    for (const double time : {5.0, 5.1, 4.9, 5.2, 5.0, 5.05}) pairs.push_back({time, 2 * time});
    const auto result = compare(pairs, 0.02, 4.9, 9.8);
    CHECK(result.word == Word::slower);
    CHECK(result.effect == Approx(1.0));
  }
  SECTION("with noise, and the other way round") {
    const std::vector<Pair> pairs{{5, 10}, {5.1, 10.3}, {4.9, 9.7}, {5.2, 10.2}, {5, 10.1}, {5.05, 10}};
    CHECK(compare(pairs, 0.02, 4.9, 9.7).word == Word::slower);
    std::vector<Pair> swapped;
    for (const auto& pair : pairs) swapped.push_back({pair.other, pair.baseline});
    CHECK(compare(swapped, 0.02, 9.7, 4.9).word == Word::faster);
  }
}

TEST_CASE("two or three pairs are an indication only, however large the difference") {
  const auto two = compare(std::array{Pair{5, 10}, Pair{5.1, 10.1}}, 0.02, 5, 10);
  CHECK(two.word == Word::indication_only);
  CHECK(two.interval95);
  CHECK_FALSE(two.p);
  CHECK(compare(std::array{Pair{5, 10}, Pair{5.1, 10.1}, Pair{5, 10}}, 0.02, 5, 10).word == Word::indication_only);
}

TEST_CASE("no usable pair") {
  CHECK(compare({}, 0.02, 1, 1).word == Word::no_pairs);
  const auto result = compare(std::array{Pair{0, 10}, Pair{10, 0}, Pair{-1, 5}, Pair{std::nan(""), 5}}, 0.02, 1, 1);
  CHECK(result.word == Word::no_pairs);
  CHECK(result.pairs == 0);
  CHECK(compare(std::array{Pair{0, 10}, Pair{10, 11}}, 0.02, 10, 11).pairs == 1);
}

TEST_CASE("identical times are equivalent: s_d = 0 and no difference") {
  const std::vector<Pair> pairs(4, Pair{7, 7});
  const auto result = compare(pairs, 0.02, 7, 7);
  CHECK(result.word == Word::equivalent);
  CHECK(result.effect == 0);
  CHECK(*result.p == 1);
}

TEST_CASE("equivalent: the 90 % interval lies inside the band") {
  // d = 0.001 -0.001 0.002 -0.002: mean 0; squares 1e-5 / 3, s_d = 0.00182574, error 0.00091287;
  // reach at 90 %: 2.353363 * 0.00091287 = 0.0021483.
  CHECK(compare_logs({0.001, -0.001, 0.002, -0.002}, 0.01).word == Word::equivalent);
  CHECK(compare_logs({0.001, -0.001, 0.002, -0.002}, 0.0022).word == Word::equivalent);
  CHECK(compare_logs({0.001, -0.001, 0.002, -0.002}, 0.0021).word == Word::inconclusive);
}

TEST_CASE("a difference that is certain but too small to matter is no verdict of faster or slower") {
  // d = 0.010 0.011 0.009 0.010: the 95 % interval excludes 0, but 1 % is below delta = 2 %.
  const auto result = compare_logs({0.010, 0.011, 0.009, 0.010}, 0.02);
  CHECK(result.interval95->first > 0);
  CHECK(result.word == Word::equivalent);
}

TEST_CASE("the bests have to agree in sign") {
  const auto pairs = pairs_of({0.10, 0.12, 0.08, 0.10});
  CHECK(compare(pairs, 0.02, 100, 108).word == Word::slower);
  CHECK(compare(pairs, 0.02, 100, 99).word == Word::inconclusive);
  CHECK(compare(pairs, 0.02, 100, 100).word == Word::inconclusive);
}

TEST_CASE("inconclusive says how many runs would settle it") {
  // d = 0.05 -0.03 0.04 -0.02: mean 0.01; deviations 0.04 -0.04 0.03 -0.03, squares 0.005, / 3: s_d = 0.0408248.
  // t(0.975, 3) = 3.182446: (3.182446 * 0.0408248 / 0.02)^2 = 6.496145^2 = 42.1999: 43.
  const auto result = compare_logs({0.05, -0.03, 0.04, -0.02}, 0.02);
  CHECK(result.word == Word::inconclusive);
  REQUIRE(result.runs_to_settle);
  CHECK(*result.runs_to_settle == 43);

  SECTION("bounded when nothing would") {
    CHECK(*compare_logs({30, -30, 25, -25}, 0.0001).runs_to_settle == 1'000'000);
  }
}

TEST_CASE("Holm's correction") {
  const auto with_p = [](double p, Word word) {
    Comparison comparison = compare_logs({0.10, 0.12, 0.08, 0.10}, 0.02);
    comparison.p = p;
    comparison.word = word;
    return comparison;
  };
  // Sorted 0.01 0.02 0.03 0.04: times 4, 3, 2, 1: 0.04 0.06 0.06 0.04, kept from falling: 0.04 0.06 0.06 0.06.
  std::vector<Comparison> comparisons{with_p(0.04, Word::slower), with_p(0.01, Word::faster),
                                      with_p(0.03, Word::equivalent), with_p(0.02, Word::slower), Comparison{}};
  adjust_holm(comparisons);
  CHECK(*comparisons[0].p_holm == Approx(0.06));
  CHECK(*comparisons[1].p_holm == Approx(0.04));
  CHECK(*comparisons[2].p_holm == Approx(0.06));
  CHECK(*comparisons[3].p_holm == Approx(0.06));
  CHECK_FALSE(comparisons[4].p_holm);
  CHECK(comparisons[0].word == Word::inconclusive);
  // (3.182446 * 0.0163299 / 0.02)^2 = 2.598457^2 = 6.75198: 7.
  CHECK(comparisons[0].runs_to_settle == 7);
  CHECK(comparisons[1].word == Word::faster);
  CHECK(comparisons[2].word == Word::equivalent);
  CHECK(comparisons[3].word == Word::inconclusive);
  CHECK(comparisons[4].word == Word::no_pairs);

  SECTION("never above 1, and one comparison stays as it is") {
    std::vector<Comparison> high{with_p(0.6, Word::inconclusive), with_p(0.9, Word::inconclusive)};
    adjust_holm(high);
    CHECK(*high[0].p_holm == 1);
    CHECK(*high[1].p_holm == 1);
    std::vector<Comparison> one{with_p(0.049, Word::slower)};
    adjust_holm(one);
    CHECK(one[0].word == Word::slower);
  }
}

TEST_CASE("case 28: what a page may say") {
  const auto of = [](Word word) {
    Comparison comparison;
    comparison.word = word;
    return comparison;
  };
  CHECK(conclude({}) == Conclusion::nothing_compared);
  CHECK(conclude(std::vector{of(Word::equivalent), of(Word::equivalent)}) == Conclusion::no_relevant_change);
  CHECK(conclude(std::vector{of(Word::equivalent), of(Word::inconclusive)}) == Conclusion::no_difference_shown);
  CHECK(conclude(std::vector{of(Word::inconclusive), of(Word::no_pairs)}) == Conclusion::no_difference_shown);
  CHECK(conclude(std::vector{of(Word::indication_only)}) == Conclusion::no_difference_shown);
  CHECK(conclude(std::vector{of(Word::equivalent), of(Word::slower)}) == Conclusion::difference);
}

TEST_CASE("case 17: noisy times never add or drop a block") {
  // Three blocks are three blocks: stopping is asked after 4 and every even block only, and nothing asks for more.
  const auto precise = compare_logs({0, 0, 0, 0}, 0.02);
  CHECK_FALSE(precise_enough(3, std::array{precise}, 0.02));
  CHECK(summarise(std::array{10.0, 25.0, 12.0}).count == 3);
}

TEST_CASE("stopping by precision") {
  // d = +-0.001 twice: mean 0, squares 4e-6 / 3: s_d = 0.0011547, error 0.00057735, reach at 95 %: 0.0018374.
  const auto narrow = compare_logs({0.001, -0.001, 0.001, -0.001}, 0.02);
  CHECK(precise_enough(4, std::array{narrow}, 0.004));
  CHECK_FALSE(precise_enough(4, std::array{narrow}, 0.0036));
  CHECK_FALSE(precise_enough(2, std::array{narrow}, 0.02));
  CHECK_FALSE(precise_enough(5, std::array{narrow}, 0.02));
  CHECK(precise_enough(6, std::array{narrow}, 0.02));
  CHECK_FALSE(precise_enough(4, {}, 0.02));
  CHECK_FALSE(precise_enough(4, std::array{narrow, Comparison{}}, 0.02));
  // A clear difference is no reason to stop.
  CHECK_FALSE(precise_enough(4, std::array{compare_logs({0.5, 0.9, 0.6, 0.8}, 0.02)}, 0.02));
}

TEST_CASE("times of two executions are compared by Welch's test on logarithms") {
  // By hand: means 0 and ln 2; variances of the logarithms 0.0001 and 0.0004 (n = 4 each) give error sqrt(0.000125),
  // degrees (0.000025 + 0.0001)^2 / (0.000025^2 / 3 + 0.0001^2 / 3) = 4.41.
  const double a = 0.01 * std::sqrt(3.0 / 4);
  const double b = 2 * a;
  const std::vector<double> first{std::exp(a), std::exp(-a), std::exp(a), std::exp(-a)};
  const std::vector<double> second{2 * std::exp(b), 2 * std::exp(-b), 2 * std::exp(b), 2 * std::exp(-b)};
  const auto result = compare_unpaired(first, second, 0.02, first[1], second[1]);
  CHECK(result.word == Word::slower);
  CHECK(result.pairs == 4);
  CHECK(result.effect == Approx(1.0));
  REQUIRE(result.interval95);
  const double reach = 2.6797 * std::sqrt(0.000125);  // t(0.975, 4.412)
  CHECK(result.interval95->first == Approx(2 * std::exp(-reach) - 1).epsilon(1e-3));
  CHECK(result.interval95->second == Approx(2 * std::exp(reach) - 1).epsilon(1e-3));
  CHECK(compare_unpaired(second, first, 0.02, second[1], first[1]).word == Word::faster);
  CHECK(compare_unpaired(first, first, 0.05, first[1], first[1]).word == Word::equivalent);
}

TEST_CASE("too few times of two executions give no verdict") {
  const std::vector<double> one{5};
  const std::vector<double> three{5, 5, 5};
  const std::vector<double> six{10, 10, 10, 10, 10, 10};
  const std::vector<double> wrong{-1, 0};
  CHECK(compare_unpaired(one, one, 0.02, 5, 5).word == Word::one_run);
  CHECK(compare_unpaired(three, six, 0.02, 5, 10).word == Word::indication_only);
  CHECK(compare_unpaired(wrong, six, 0.02, 0, 10).word == Word::no_pairs);
  CHECK(compare_unpaired(six, six, 0.02, 10, 10).word == Word::equivalent);
}
