#include "history/series.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "stats/summary.hpp"

namespace swaprig::history {

namespace {

double median_deviation(std::span<const double> values, double centre) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - centre));
  return stats::median(distances);
}

std::span<const double> last(const std::vector<double>& values) {
  const auto count = std::min(values.size(), k_window);
  return std::span(values).last(count);
}

/// The nights of one epoch as they go by.
class Epoch {
 public:
  explicit Epoch(double delta) : m_band(std::log1p(delta)) {}

  NightVerdict judge(double score, bool borne_out) {
    const double y = std::log(score);
    NightVerdict verdict;
    if (m_scatter.size() + m_level.size() < k_first_nights) {
      verdict.standing = Standing::early;
      m_level.push_back(y);
      return verdict;
    }
    const double centre = stats::median(last(m_level));
    const double allowed = std::max(m_band, 3 * stats::k_mad_scale * spread(centre));
    verdict.usual = std::exp(centre);
    verdict.effect = std::expm1(y - centre);
    verdict.allowed = std::expm1(allowed);
    if (std::abs(y - centre) <= allowed) {
      verdict.standing = Standing::usual;
      keep_suspect();
      m_level.push_back(y);
      return verdict;
    }
    const bool again = m_suspect && (*m_suspect > centre) == (y > centre);
    if (!again && !borne_out) {
      verdict.standing = Standing::suspect;
      keep_suspect();
      m_suspect = y;
      return verdict;
    }
    verdict.standing = Standing::confirmed;
    verdict.recovery = is_earlier_level(y, allowed);
    begin_level(centre, y);
    return verdict;
  }

 private:
  /// Of the level's own nights, or while there are too few, of those before it around their levels.
  double spread(double centre) const {
    if (m_level.size() >= k_first_nights) return median_deviation(last(m_level), centre);
    std::vector<double> distances = m_scatter;
    for (const double value : m_level) distances.push_back(value - centre);
    return median_deviation(last(distances), 0);
  }

  void keep_suspect() {
    if (m_suspect) m_level.push_back(*m_suspect);
    m_suspect.reset();
  }

  bool is_earlier_level(double y, double allowed) const {
    return std::any_of(m_earlier.begin(), m_earlier.end(),
                       [&](double level) { return std::abs(y - level) <= allowed; });
  }

  void begin_level(double centre, double y) {
    for (const double value : m_level) m_scatter.push_back(value - centre);
    m_earlier.push_back(centre);
    m_level.clear();
    keep_suspect();
    m_level.push_back(y);
  }

  double m_band;
  std::vector<double> m_level;      ///< y of the nights since the last confirmed change
  std::vector<double> m_scatter;    ///< y less its level, of the nights before it
  std::vector<double> m_earlier;    ///< levels
  std::optional<double> m_suspect;  ///< the night before, when nothing bore it out
};

}  // namespace

std::vector<NightVerdict> judge_nights(std::span<const Night> nights, double delta,
                                       const std::set<std::string>& borne_out) {
  SWAPRIG_ASSERT(delta > 0);
  std::vector<NightVerdict> verdicts;
  std::optional<Epoch> epoch;
  std::string name;
  for (const auto& night : nights) {
    if (!epoch || night.epoch != name) {
      epoch.emplace(delta);
      name = night.epoch;
    }
    const bool usable = night.score && std::isfinite(*night.score) && *night.score > 0;
    verdicts.push_back(usable ? epoch->judge(*night.score, borne_out.contains(night.batch)) : NightVerdict{});
  }
  return verdicts;
}

}  // namespace swaprig::history
