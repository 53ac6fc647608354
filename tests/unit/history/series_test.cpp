#include "history/series.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::history;

namespace {

std::vector<Night> nights_of(const std::vector<double>& scores, const std::string& epoch = "e") {
  std::vector<Night> nights;
  for (const double score : scores) {
    Night night;
    night.batch = "n" + std::to_string(nights.size());
    night.epoch = epoch;
    if (score > 0) night.score = score;
    nights.push_back(night);
  }
  return nights;
}

std::vector<Standing> standings(const std::vector<Night>& nights, const std::set<std::string>& borne_out = {}) {
  std::vector<Standing> found;
  for (const auto& verdict : judge_nights(nights, 0.02, borne_out)) found.push_back(verdict.standing);
  return found;
}

int count(const std::vector<Standing>& all, Standing one) {
  return static_cast<int>(std::count(all.begin(), all.end(), one));
}

}  // namespace

TEST_CASE("the first seven nights are only learnt from") {
  const auto found = standings(nights_of({10, 10, 10, 50, 10, 10, 10, 10}));
  CHECK(count(found, Standing::early) == 7);
  CHECK(found.back() == Standing::usual);
}

TEST_CASE("a night away from the others is suspect; a second one that way is a confirmed change") {
  std::vector<double> scores(10, 100);
  scores.insert(scores.end(), {106, 106, 106, 106});
  const auto found = judge_nights(nights_of(scores), 0.02);
  CHECK(found[10].standing == Standing::suspect);
  CHECK(found[10].effect == Approx(0.06));
  CHECK(*found[10].usual == Approx(100));
  CHECK(found[11].standing == Standing::confirmed);
  CHECK_FALSE(found[11].recovery);
  CHECK(found[12].standing == Standing::usual);
  CHECK(*found[12].usual == Approx(106));
}

TEST_CASE("a spike is suspect and never confirmed; one each way is no change") {
  std::vector<double> scores(10, 100);
  scores.insert(scores.end(), {150, 100, 150, 60, 100});
  const auto found = standings(nights_of(scores));
  CHECK(count(found, Standing::suspect) == 3);
  CHECK(count(found, Standing::confirmed) == 0);
}

TEST_CASE("runs of the same night that bear it out confirm a change at once") {
  std::vector<double> scores(10, 100);
  scores.push_back(120);
  CHECK(standings(nights_of(scores), {"n10"}).back() == Standing::confirmed);
}

TEST_CASE("going back to an earlier level is a recovery") {
  std::vector<double> scores(10, 100);
  scores.insert(scores.end(), {110, 110, 110, 100, 100, 100});
  const auto found = judge_nights(nights_of(scores), 0.02);
  CHECK(found[13].standing == Standing::suspect);
  CHECK(found[14].standing == Standing::confirmed);
  CHECK(found[14].recovery);
  CHECK(found[14].effect < 0);
}

TEST_CASE("an improvement is reported like a regression") {
  std::vector<double> scores(10, 100);
  scores.insert(scores.end(), {90, 90});
  const auto found = judge_nights(nights_of(scores), 0.02);
  CHECK(found.back().standing == Standing::confirmed);
  CHECK(found.back().effect == Approx(-0.1));
}

TEST_CASE("a night without a score says nothing and breaks nothing") {
  std::vector<double> scores(10, 100);
  scores.insert(scores.end(), {106, 0, 106});
  const auto found = standings(nights_of(scores));
  CHECK(found[11] == Standing::no_score);
  CHECK(found[12] == Standing::confirmed);
}

TEST_CASE("a new epoch is learnt from the start") {
  auto nights = nights_of(std::vector<double>(10, 100));
  const auto other = nights_of(std::vector<double>(8, 200), "other");
  nights.insert(nights.end(), other.begin(), other.end());
  const auto found = standings(nights);
  CHECK(count(found, Standing::early) == 14);
  CHECK(count(found, Standing::suspect) + count(found, Standing::confirmed) == 0);
}

TEST_CASE("sixty nights with a step of 5 %: found within two nights; a spike is not; hardly a false alarm") {
  int false_alarms = 0;
  int steps_found = 0;
  int spikes_confirmed = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.005);
    std::vector<double> flat;
    std::vector<double> planted;
    for (int night = 0; night < 60; ++night) {
      const double drift = 0.0001 * night;  // 0.6 % over all
      flat.push_back(600 * std::exp(noise(random) + drift));
      double level = night < 40 ? 0 : std::log(1.05);
      if (night == 20) level = std::log(1.2);
      planted.push_back(600 * std::exp(noise(random) + drift + level));
    }
    const auto quiet = standings(nights_of(flat));
    false_alarms += count(quiet, Standing::confirmed);
    const auto found = standings(nights_of(planted));
    if (found[41] == Standing::confirmed || found[40] == Standing::confirmed) ++steps_found;
    for (int night = 15; night < 30; ++night) {
      if (found[static_cast<std::size_t>(night)] == Standing::confirmed) ++spikes_confirmed;
    }
  }
  CHECK(steps_found == 20);
  CHECK(spikes_confirmed == 0);
  CHECK(false_alarms <= 1);
}
