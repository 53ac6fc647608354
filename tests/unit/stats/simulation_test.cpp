#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "stats/summary.hpp"
#include "support/catch.hpp"

using namespace swaprig::stats;

namespace {

/// The library's normal distribution differs between implementations; this one does not.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : m_random(seed) {}

  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() { return (static_cast<double>(m_random() >> 11U) + 0.5) / 9007199254740992.0; }

  std::mt19937_64 m_random;
};

struct Rates {
  double interval_excludes_0 = 0;
  double verdict = 0;
};

/// Two equal scenarios in mirrored blocks of a machine that becomes slower by `drift` in the course of the batch.
Rates false_alarms(int batches, int blocks, double drift, double noise_deviation) {
  Noise noise(20210907);
  Rates rates;
  for (int batch = 0; batch < batches; ++batch) {
    const auto time = [&](int run) {
      return 100 * (1 + drift * run / (2 * blocks - 1)) * std::exp(noise_deviation * noise.normal());
    };
    std::vector<Pair> pairs;
    double best_a = 1e9;
    double best_b = 1e9;
    for (int block = 0; block < blocks; ++block) {
      const double first = time(2 * block);
      const double second = time(2 * block + 1);
      pairs.push_back(block % 2 == 0 ? Pair{first, second} : Pair{second, first});
      best_a = std::min(best_a, pairs.back().baseline);
      best_b = std::min(best_b, pairs.back().other);
    }
    const auto result = compare(pairs, 0.01, best_a, best_b);
    rates.interval_excludes_0 += result.interval95->first > 0 || result.interval95->second < 0;
    rates.verdict += result.word == Word::faster || result.word == Word::slower;
  }
  rates.interval_excludes_0 /= batches;
  rates.verdict /= batches;
  return rates;
}

}  // namespace

TEST_CASE("mirrored blocks keep false alarms rare, with drift and without") {
  constexpr int k_batches = 3000;  // standard error of a rate of 5 %: 0.4 %
  for (const int blocks : {4, 5, 8}) {
    for (const double drift : {0.0, 0.03}) {
      const auto rates = false_alarms(k_batches, blocks, drift, 0.02);
      INFO("blocks " << blocks << " drift " << drift << " interval " << rates.interval_excludes_0 << " verdict "
                     << rates.verdict);
      CHECK(rates.interval_excludes_0 < 0.06);
      CHECK(rates.verdict < 0.06);
      CHECK(rates.verdict > 0.005);
    }
  }
}
