#include "simdrive/model/ssd.hpp"

#include <algorithm>

namespace swaprig::simdrive {

Ssd::Ssd(const DriveParameters& parameters, RegionMap regions)
    : DriveModel(std::move(regions)), m_ssd(parameters.ssd), m_depth(parameters.queue_depth) {
  for (std::uint64_t i = 0; i < m_ssd.channels; ++i) m_channels.push(Time{0});
}

void Ssd::submit(const Request& request, Time now) {
  m_counters.count_arrival(request);
  const Time entered = enter(now);
  Time start = entered;
  Time done = entered;
  if (request.operation == Operation::flush) {
    done = std::max(entered, m_last_write) + m_ssd.flush_latency;
  } else if (request.operation == Operation::trim) {
    done = entered + m_ssd.trim_latency;
  } else {
    const bool read = request.operation == Operation::read;
    start = std::max(entered, m_channels.top());
    const Time ready = start + (read ? m_ssd.read_latency : m_ssd.write_latency);
    m_channels.pop();
    m_channels.push(ready);
    done = transfer(request, ready);
    if (!read) m_last_write = std::max(m_last_write, done);
    if (!read && request.fua) done += m_ssd.flush_latency;
  }
  m_counters.queue += start - now;
  count_busy(start, done);
  m_inside.insert(done);
  complete(request, now, done);
}

/// When the command can enter: at once, or when enough of those inside are done.
Time Ssd::enter(Time now) {
  m_inside.erase(m_inside.begin(), m_inside.upper_bound(now));
  if (m_inside.size() < m_depth) return now;
  const auto blocking = std::prev(m_inside.end(), static_cast<std::ptrdiff_t>(m_depth));
  return *blocking;
}

Time Ssd::transfer(const Request& request, Time ready) {
  const bool read = request.operation == Operation::read;
  Time& path = read ? m_read_path : m_write_path;
  const auto rate = static_cast<double>(read ? m_ssd.read_rate : m_ssd.write_rate);
  const Time span = from_seconds(static_cast<double>(request.length) / rate);
  path = std::max(path, ready) + span;
  m_counters.transfer += span;
  return path;
}

void Ssd::count_busy(Time from, Time until) {
  const Time begin = std::max(from, m_busy_until);
  if (until <= begin) return;
  m_counters.busy += until - begin;
  m_busy_until = until;
}

}  // namespace swaprig::simdrive
