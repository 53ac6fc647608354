#pragma once

#include <vector>

#include "simdrive/model/request.hpp"

namespace swaprig::simdrive {

/// The time in which at least one of several requests was overdue: intervals that come in the order of nothing, each
/// moment counted once.
class OverdueTime {
 public:
  /// How long a counted interval is compared with later ones; one that ends more than this after it counts whole.
  static constexpr Time k_remembered = std::chrono::seconds(1);

  void add(Time from, Time until);
  Time total() const { return m_total; }

 private:
  struct Interval {
    Time from;
    Time until;
  };

  Time m_total{0};
  std::vector<Interval> m_counted;  ///< disjoint
};

}  // namespace swaprig::simdrive
