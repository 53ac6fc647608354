#include "stats/growth.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"

using namespace swaprig::stats;

namespace {

/// Sizes e^1, e^2, ... and times e^of each value, so that the logarithms are the plain numbers of the example.
std::vector<SizedTime> boot_of(const std::vector<double>& log_times) {
  std::vector<SizedTime> boot;
  for (std::size_t i = 0; i < log_times.size(); ++i) {
    boot.push_back({std::exp(static_cast<double>(i + 1)), std::exp(log_times[i])});
  }
  return boot;
}

using Boots = std::vector<std::vector<SizedTime>>;

constexpr double k_t_2 = 4.302652729696;    // t(0.975) with 2 degrees of freedom
constexpr double k_t_6 = 2.446911848791;    // with 6

}  // namespace

TEST_CASE("a power law is found exactly") {
  const auto cubic = growth(Boots{{{1, 2}, {2, 16}, {4, 128}, {8, 1024}}});
  REQUIRE(cubic);
  CHECK(cubic->exponent == Approx(3));
  CHECK(cubic->boots == 1);
  CHECK(cubic->observations == 4);
  REQUIRE(cubic->interval95);
  CHECK(cubic->interval95->first == Approx(3));
  CHECK(cubic->interval95->second == Approx(3));
  const auto flat = growth(Boots{{{1, 5}, {2, 5}, {4, 5}}});
  CHECK(std::abs(flat->exponent) < 1e-12);
}

TEST_CASE("slope and interval by hand, one boot") {
  // x = 1 2 3 4, y = 1 2 2 3: means 2.5 and 2; Sxx = 5, Sxy = 1.5 * 1 + 0 + 0 + 1.5 * 1 = 3; slope 0.6.
  // Residuals: -0.1, 0.3, -0.3, 0.1; squares 0.2; s^2 = 0.1; standard error sqrt(0.1 / 5) = 0.141421.
  const auto boot = boot_of({1, 2, 2, 3});
  const auto slope = log_slope(boot);
  REQUIRE(slope);
  CHECK(slope->slope == Approx(0.6));
  CHECK(*slope->standard_error == Approx(0.1414213562));
  const auto found = growth(Boots{boot});
  REQUIRE(found);
  CHECK(found->basis == GrowthBasis::points);
  CHECK(found->interval95->first == Approx(0.6 - k_t_2 * 0.1414213562));
  CHECK(found->interval95->second == Approx(0.6 + k_t_2 * 0.1414213562));
}

TEST_CASE("two boots are pooled into one regression") {
  // The same boot twice: slope 0.6, squares 0.4 over 8 - 2 degrees, Sxx 10.
  const auto boot = boot_of({1, 2, 2, 3});
  const auto found = growth(Boots{boot, boot});
  REQUIRE(found);
  CHECK(found->basis == GrowthBasis::points);
  CHECK(found->boots == 2);
  CHECK(found->observations == 8);
  CHECK(found->exponent == Approx(0.6));
  CHECK(found->interval95->second == Approx(0.6 + k_t_6 * std::sqrt(0.4 / 6 / 10)));
}

TEST_CASE("from three boots on the exponents of the boots count") {
  // Exponents 1, 1.1 and 1.2: mean 1.1, standard deviation 0.1.
  const auto found = growth(Boots{boot_of({1, 2, 3}), boot_of({5, 6.1, 7.2}), boot_of({0, 1.2, 2.4})});
  REQUIRE(found);
  CHECK(found->basis == GrowthBasis::boots);
  CHECK(found->exponent == Approx(1.1));
  CHECK(found->interval95->first == Approx(1.1 - k_t_2 * 0.1 / std::sqrt(3.0)));
  CHECK(found->interval95->second == Approx(1.1 + k_t_2 * 0.1 / std::sqrt(3.0)));
}

TEST_CASE("too little for an interval, or for an exponent") {
  const auto two_sizes = growth(Boots{boot_of({1, 3})});
  REQUIRE(two_sizes);
  CHECK(two_sizes->exponent == Approx(2));
  CHECK_FALSE(two_sizes->interval95);
  CHECK(two_sizes->basis == GrowthBasis::none);
  // Two sizes in two boots: four points, but no bend could be seen.
  CHECK_FALSE(growth(Boots{boot_of({1, 3}), boot_of({1, 2.9})})->interval95);
  CHECK_FALSE(growth(Boots{boot_of({1})}));
  CHECK_FALSE(growth(Boots{{{4, 1}, {4, 2}}}));
  CHECK_FALSE(growth(Boots{}));
  // Each boot has one size only: nothing tells sizes and boots apart.
  CHECK_FALSE(growth(Boots{{{1, 1}}, {{2, 3}}}));
}

TEST_CASE("what has no logarithm is left out") {
  const auto found = growth(Boots{{{1, 2}, {0, 5}, {2, 0}, {2, -1}, {2, std::numeric_limits<double>::infinity()},
                                   {2, std::nan("")}, {2, 4}, {4, 8}}});
  REQUIRE(found);
  CHECK(found->observations == 3);
  CHECK(found->exponent == Approx(1));
}
