#include "simdrive/model/overdue.hpp"

#include <algorithm>

namespace swaprig::simdrive {

void OverdueTime::add(Time from, Time until) {
  if (until <= from) return;
  std::erase_if(m_counted, [&](const Interval& old) { return old.until + k_remembered < until; });
  Interval merged{from, until};
  Time covered{0};
  std::erase_if(m_counted, [&](const Interval& old) {
    if (old.until < from || old.from > until) return false;
    covered += std::min(until, old.until) - std::max(from, old.from);
    merged = {std::min(merged.from, old.from), std::max(merged.until, old.until)};
    return true;
  });
  m_counted.push_back(merged);
  m_total += until - from - covered;
}

}  // namespace swaprig::simdrive
