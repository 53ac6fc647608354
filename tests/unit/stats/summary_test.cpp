#include "stats/summary.hpp"

#include <array>
#include <vector>

#include "support/catch.hpp"

using namespace swaprig::stats;

TEST_CASE("the summary of five times") {
  // Sorted 601 603 605 610 640: median 605; distances 4 2 0 5 35, sorted 0 2 4 5 35: MAD 4.
  // Mean 3059 / 5 = 611.8; squares 116.64 + 77.44 + 46.24 + 3.24 + 795.24 = 1038.8; / 4 = 259.7; root 16.1152...
  const std::vector<double> times{605, 601, 640, 603, 610};
  const auto summary = summarise(times);
  CHECK(summary.count == 5);
  CHECK(summary.best == 601);
  CHECK(summary.worst == 640);
  CHECK(summary.median == 605);
  CHECK(summary.mad == 4);
  REQUIRE(summary.deviation);
  CHECK(*summary.deviation == Approx(16.115209));
  CHECK_FALSE(summary.median_interval);
  // Reach: max(3 * 1.4826 * 4 = 17.7912, 2 % of 605 = 12.1) = 17.7912; only 640 is further away.
  CHECK(summary.outliers == std::vector<int>{2});
  CHECK_FALSE(summary.lucky_best);
}

TEST_CASE("an even number of times has the mean of the middle two as its median") {
  CHECK(median(std::array{4.0, 1.0, 3.0, 2.0}) == 2.5);
  CHECK(median(std::array{7.0}) == 7.0);
}

TEST_CASE("variance is taken in two passes") {
  // sum(x^2) - n mean^2 loses every digit here; the differences to the mean are -2 -1 0 1 2: variance 10 / 4.
  const auto summary = summarise(std::array{1e9 - 2, 1e9 - 1, 1e9, 1e9 + 1, 1e9 + 2});
  REQUIRE(summary.deviation);
  CHECK(*summary.deviation == Approx(std::sqrt(2.5)).epsilon(1e-12));
}

TEST_CASE("the standard deviation comes from 5 values on, the bootstrap from 10") {
  std::vector<double> times{10, 11, 12, 13};
  CHECK_FALSE(summarise(times).deviation);
  times.insert(times.end(), {14, 15, 16, 17, 18});
  CHECK(summarise(times).deviation);
  CHECK_FALSE(summarise(times).median_interval);
  times.push_back(19);
  const auto summary = summarise(times);
  REQUIRE(summary.median_interval);
  CHECK(summary.median_interval->first >= 10);
  CHECK(summary.median_interval->first < 14.5);
  CHECK(summary.median_interval->second > 14.5);
  CHECK(summary.median_interval->second <= 19);

  SECTION("the same values in another order give the same interval") {
    std::swap(times.front(), times.back());
    CHECK(summarise(times).median_interval == summary.median_interval);
  }
}

TEST_CASE("case 19: 5, 5, 5, 5.001 has no outlier and no lucky best") {
  // MAD = 0, so the floor holds: 2 % of 5 = 0.1, and 0.001 is less.
  CHECK(summarise(std::array{5.0, 5.0, 5.0, 5.001}).outliers.empty());
  CHECK_FALSE(summarise(std::array{5.0, 5.0, 5.0, 4.999}).lucky_best);
  CHECK(summarise(std::array{5.0, 5.0, 5.0, 5.2}).outliers == std::vector<int>{3});
}

TEST_CASE("a lucky best is marked") {
  // Median 100.5, distances 9.5 0.5 0.5 1.5: sorted 0.5 0.5 1.5 9.5, MAD 1; 100.5 - 4.4478 = 96.05 > 91.
  const auto summary = summarise(std::array{91.0, 100.0, 101.0, 102.0});
  CHECK(summary.mad == 1);
  CHECK(summary.lucky_best);
  CHECK(summary.outliers == std::vector<int>{0});
}

TEST_CASE("outliers are flagged, never removed") {
  const auto summary = summarise(std::array{10.0, 10.0, 30.0});
  CHECK(summary.count == 3);
  CHECK(summary.worst == 30);
  CHECK(summary.outliers == std::vector<int>{2});
}

TEST_CASE("degenerate times") {
  SECTION("one value") {
    const auto summary = summarise(std::array{3.0});
    CHECK(summary.best == 3);
    CHECK(summary.median == 3);
    CHECK(summary.mad == 0);
    CHECK(summary.outliers.empty());
  }
  SECTION("zeros") {
    const auto summary = summarise(std::array{0.0, 0.0, 0.0});
    CHECK(summary.median == 0);
    CHECK(summary.outliers.empty());
    CHECK_FALSE(summary.lucky_best);
  }
}

TEST_CASE("the expected best of k out of n") {
  const std::array times{4.0, 1.0, 2.0};
  // k = 1 is the mean: (1 + 2 + 4) / 3.
  CHECK(expected_best(times, 1) == Approx(7.0 / 3));
  // k = 2: the three pairs have the bests 1, 1, 2: 4 / 3. By the formula: 1 * C(2,1)/3 + 2 * C(1,1)/3.
  CHECK(expected_best(times, 2) == Approx(4.0 / 3));
  CHECK(expected_best(times, 3) == Approx(1.0));
  // n = 5, k = 3: C(5,3) = 10; weights C(4,2) C(3,2) C(2,2) = 6 3 1: (6 * 10 + 3 * 20 + 1 * 30) / 10 = 15.
  CHECK(expected_best(std::array{50.0, 40.0, 30.0, 20.0, 10.0}, 3) == Approx(15.0));

  SECTION("falls as k grows, and never below the best") {
    std::vector<double> many;
    for (int i = 0; i < 1000; ++i) many.push_back(100 + i);
    double before = expected_best(many, 1);
    for (int k = 2; k <= 1000; ++k) {
      const double now = expected_best(many, k);
      CHECK(now < before);
      before = now;
    }
    CHECK(before == Approx(100));
  }
}

TEST_CASE("the band of what does not matter") {
  std::vector<double> effects(9, 0.5);
  CHECK(relevance_band({}) == 0.02);
  CHECK(relevance_band(effects) == 0.02);
  // Ten effects 0.1 % to 1 %: rank 0.9 * 9 = 8.1, between 0.9 % and 1 %: 0.91 %, below the least of 1 %.
  effects = {0.001, -0.002, 0.003, 0.004, -0.005, 0.006, 0.007, 0.008, 0.009, 0.010};
  CHECK(relevance_band(effects) == 0.01);
  // Ten times as large: 9.1 %.
  for (double& effect : effects) effect *= 10;
  CHECK(relevance_band(effects) == Approx(0.091));
}
