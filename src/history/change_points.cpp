#include "history/change_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/assert.hpp"
#include "stats/summary.hpp"

namespace swaprig::history {

namespace {

constexpr std::size_t k_shortest = 2;

/// Counts and sums of values by rank (a Fenwick tree): the sum of distances to their median, of values added one by one.
class Distances {
 public:
  explicit Distances(const std::vector<double>& sorted)
      : m_sorted(sorted), m_count(sorted.size() + 1), m_sum(sorted.size() + 1) {}

  void clear() {
    std::fill(m_count.begin(), m_count.end(), 0);
    std::fill(m_sum.begin(), m_sum.end(), 0.0);
    m_size = 0;
    m_total = 0;
  }

  void add(std::size_t rank) {
    const double value = m_sorted[rank];
    for (auto i = rank + 1; i < m_count.size(); i += i & (~i + 1)) {
      ++m_count[i];
      m_sum[i] += value;
    }
    ++m_size;
    m_total += value;
  }

  double to_median() const {
    const std::size_t lower = (m_size + 1) / 2;  // as many values as lie at or below the lower median
    std::size_t at = 0;
    std::size_t counted = 0;
    double below = 0;
    for (std::size_t step = std::bit_floor(m_count.size() - 1); step > 0; step /= 2) {
      if (at + step >= m_count.size() || counted + m_count[at + step] >= lower) continue;
      at += step;
      counted += m_count[at];
      below += m_sum[at];
    }
    const double median = m_sorted[at];
    below += static_cast<double>(lower - counted) * median;
    const double above = m_total - below;
    return above - static_cast<double>(m_size - lower) * median + static_cast<double>(lower) * median - below;
  }

 private:
  const std::vector<double>& m_sorted;
  std::vector<std::size_t> m_count;
  std::vector<double> m_sum;
  std::size_t m_size = 0;
  double m_total = 0;
};

std::vector<std::size_t> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<std::size_t> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

double price_of_a_step(const std::vector<double>& y, double band) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < y.size(); ++i) steps.push_back(std::abs(y[i] - y[i - 1]));
  const double scatter = stats::k_mad_scale * stats::median(steps) / std::numbers::sqrt2;
  return 2 * std::log(static_cast<double>(y.size())) * std::max(scatter, band / 3);
}

/// Where stretches begin, by dynamic programming over their ends.
std::vector<std::size_t> begins(const std::vector<double>& y, double price) {
  const auto ranks = ranks_of(y);
  auto sorted = y;
  std::sort(sorted.begin(), sorted.end());
  Distances distances(sorted);
  std::vector<double> best(y.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(y.size() + 1, 0);
  best[0] = -price;
  for (std::size_t end = k_shortest; end <= y.size(); ++end) {
    distances.clear();
    for (std::size_t begin = end; begin-- > 0;) {
      distances.add(ranks[begin]);
      if (end - begin < k_shortest) continue;
      const double cost = best[begin] + price + distances.to_median();
      if (cost < best[end]) {
        best[end] = cost;
        from[end] = begin;
      }
    }
  }
  std::vector<std::size_t> found;
  for (auto end = y.size(); end > 0; end = from[end]) found.push_back(from[end]);
  std::reverse(found.begin(), found.end());
  return found;
}

double median_of(std::span<const double> seconds, std::size_t begin, std::size_t end) {
  return stats::median(seconds.subspan(begin, end - begin));
}

}  // namespace

std::vector<Level> levels(std::span<const double> seconds, double delta) {
  SWAPRIG_ASSERT(delta > 0);
  if (seconds.empty()) return {};
  std::vector<double> y;
  for (const double value : seconds) {
    SWAPRIG_ASSERT(value > 0);
    y.push_back(std::log(value));
  }
  if (y.size() < k_least_nights) return {{0, y.size(), median_of(seconds, 0, y.size())}};

  const double band = std::log1p(delta);
  std::vector<Level> found;
  auto starts = begins(y, price_of_a_step(y, band));
  starts.push_back(y.size());
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Level level{starts[i], starts[i + 1], median_of(seconds, starts[i], starts[i + 1])};
    if (!found.empty() && std::abs(std::log(level.seconds / found.back().seconds)) < band) {
      found.back().end = level.end;
      found.back().seconds = median_of(seconds, found.back().begin, level.end);
    } else {
      found.push_back(level);
    }
  }
  return found;
}

}  // namespace swaprig::history
