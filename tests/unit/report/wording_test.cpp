#include "report/wording.hpp"

#include <array>

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::report;

TEST_CASE("as many digits as the spread warrants") {
  // Scaled MAD 1.4826 * 1 = 1.48: tenths. 14.8: whole seconds. 0.148: hundredths.
  CHECK(decimals_for(stats::summarise(std::array{100.0, 101.0, 102.0})) == 1);
  CHECK(decimals_for(stats::summarise(std::array{1000.0, 1010.0, 1020.0})) == 0);
  CHECK(decimals_for(stats::summarise(std::array{24.0, 24.1, 24.2})) == 2);
  CHECK(decimals_for(stats::summarise(std::array{5.0, 5.00001, 5.00002})) == 3);
  CHECK(decimals_for(stats::summarise(std::array{1e6, 2e6})) == 0);
  SECTION("an outlier does not hide the digits of the others") {
    CHECK(decimals_for(stats::summarise(std::array{76.5, 76.9, 77.4, 78.1, 93.0})) == 1);
  }
  SECTION("without a spread three significant digits") {
    CHECK(decimals_for(stats::summarise(std::array{1701.0})) == 0);
    CHECK(decimals_for(stats::summarise(std::array{17.0, 17.0})) == 1);
    CHECK(decimals_for(stats::summarise(std::array{1.7})) == 2);
  }
}

TEST_CASE("times in words people use") {
  CHECK(seconds_in_words(1701, 0) == "1701 s (28:21)");
  CHECK(seconds_in_words(31.42, 1) == "31.4 s");
  CHECK(seconds_in_words(3723, 0) == "3723 s (1:02:03)");
}

TEST_CASE("per cents have their sign, and no negative zero") {
  CHECK(signed_percent(0.53) == "+53 %");
  CHECK(signed_percent(-0.042) == "−4.2 %");
  CHECK(signed_percent(0) == "0.0 %");
  CHECK(signed_percent(-0.0001) == "0.0 %");
  CHECK(signed_percent(250) == "> +900 %");
  CHECK(percent(0.02) == "2 %");
  CHECK(percent(0.0153) == "1.53 %");
  CHECK(interval_in_words({0.48, 0.60}) == "+48 % to +60 %");
  CHECK(interval_in_words({-0.010, 0.012}) == "−1.0 % to +1.2 %");
  CHECK(interval_in_words({-0.9, 40}) == "−90 % to > +900 %");
  CHECK(ratio_in_words(0.5296) == "1.530");
  CHECK(ratio_in_words(0) == "1.000");
  CHECK(ratio_in_words(11.34) == "12.3");
}

TEST_CASE("traffic: a reading of 0 is 0, no reading is a dash") {
  CHECK(traffic_in_words(0) == "0 MiB");
  CHECK(traffic_in_words(std::nullopt) == "–");
  CHECK(traffic_in_words(std::int64_t{320} << 20U) == "320 MiB");
  CHECK(traffic_in_words(std::int64_t{3} << 19U) == "1.5 MiB");
}

TEST_CASE("verdicts") {
  Arm arm;
  CHECK(verdict_in_words(arm) == "no valid run");
  arm.summary = stats::summarise(std::array{1.0});
  CHECK(verdict_in_words(arm) == "baseline has no valid run");
  arm.comparison = stats::Comparison{};
  CHECK(verdict_in_words(arm) == "no pair of valid runs");
  arm.comparison->word = stats::Word::one_run;
  CHECK(verdict_in_words(arm) == "one run, no spread");
  arm.comparison->word = stats::Word::indication_only;
  CHECK(verdict_in_words(arm) == "indication only");
  arm.comparison->word = stats::Word::inconclusive;
  arm.comparison->pairs = 4;
  arm.comparison->runs_to_settle = 43;
  CHECK(verdict_in_words(arm) == "inconclusive");
  CHECK(verdict_at_length(arm) == "inconclusive: about 43 runs would settle it");
  SECTION("fewer runs than there are would settle nothing") {
    arm.comparison->runs_to_settle = 3;
    CHECK(verdict_at_length(arm) == "inconclusive");
  }
  SECTION("a position on a file comes before every word") {
    arm.comparison->word = stats::Word::slower;
    arm.position_only = true;
    CHECK(verdict_in_words(arm) == "no verdict: position");
  }
}
