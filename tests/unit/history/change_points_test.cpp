#include "history/change_points.hpp"

#include <cmath>
#include <random>

#include "support/catch.hpp"

using namespace swaprig::history;

TEST_CASE("few nights are one level") {
  CHECK(levels({}, 0.02).empty());
  const std::vector<double> nine{10, 10, 10, 10, 20, 20, 20, 20, 20};
  CHECK(levels(nine, 0.02) == std::vector<Level>{{0, 9, 20}});
}

TEST_CASE("a step is a change of level, where it happened") {
  std::vector<double> seconds(6, 100.0);
  seconds.insert(seconds.end(), 6, 110.0);
  CHECK(levels(seconds, 0.02) == std::vector<Level>{{0, 6, 100}, {6, 12, 110}});
}

TEST_CASE("a spike is no level") {
  std::vector<double> seconds(20, 100.0);
  seconds[9] = 300;
  CHECK(levels(seconds, 0.02).size() == 1);
}

TEST_CASE("there and back is three levels") {
  std::vector<double> seconds(10, 100.0);
  seconds.insert(seconds.end(), 8, 120.0);
  seconds.insert(seconds.end(), 10, 100.0);
  const auto found = levels(seconds, 0.02);
  REQUIRE(found.size() == 3);
  CHECK(found[1] == Level{10, 18, 120});
}

TEST_CASE("a step below what matters is no change") {
  std::vector<double> seconds(15, 100.0);
  seconds.insert(seconds.end(), 15, 101.0);
  CHECK(levels(seconds, 0.02).size() == 1);
}

TEST_CASE("noise alone has one level, and a step in it is found near its place") {
  int false_levels = 0;
  int found_steps = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.01);
    std::vector<double> flat;
    std::vector<double> step;
    for (int night = 0; night < 60; ++night) {
      flat.push_back(600 * std::exp(noise(random)));
      step.push_back(600 * std::exp(noise(random)) * (night < 30 ? 1 : 1.05));
    }
    false_levels += static_cast<int>(levels(flat, 0.02).size()) - 1;
    const auto found = levels(step, 0.02);
    if (found.size() == 2 && found[1].begin >= 28 && found[1].begin <= 32) ++found_steps;
  }
  CHECK(false_levels == 0);
  CHECK(found_steps >= 18);
}
