#include "simdrive/model/hdd.hpp"

#include <algorithm>

namespace swaprig::simdrive {

namespace {

/// The cache counts as nearly full from here on.
constexpr double k_nearly_full = 0.8;
/// Among so many runs ahead of the head the destaging looks for the nearest.
constexpr std::size_t k_destage_choice = 64;

bool is_write(const Request& request) {
  return request.operation == Operation::write || request.operation == Operation::zero;
}

}  // namespace

Hdd::Hdd(const DriveParameters& parameters, RegionMap regions)
    : DriveModel(std::move(regions)),
      m_hdd(parameters.hdd),
      m_depth(parameters.queue_depth),
      m_sector(parameters.physical_sector),
      m_platter(make_platter(parameters)),
      m_buffer(*m_platter, m_hdd.read_ahead, m_hdd.segments, parameters.size),
      m_cache(m_hdd.write_cache),
      m_region(m_counters.regions.index_of(0)) {}

void Hdd::submit(const Request& request, Time now) {
  advance(now);
  m_counters.count_arrival(request);
  m_outside.push_back({request, now, now});
  step(now);
}

void Hdd::advance(Time now) {
  for (auto event = next_event(); event && *event <= now; event = next_event()) step(*event);
}

std::optional<Time> Hdd::next_event() const {
  std::optional<Time> next;
  if (!m_waiting.empty() || m_cache.has_work() || m_cache.is_writing()) next = m_arm_free;
  if (!m_outside.empty() && !m_decided.empty()) next = std::min(next.value_or(Time::max()), *m_decided.begin());
  return next;
}

void Hdd::step(Time now) {
  m_decided.erase(m_decided.begin(), m_decided.upper_bound(now));
  const bool arm_is_free = m_arm_free <= now;
  if (arm_is_free) settle_written(now);
  admit(now);
  serve_hits(now);
  if (arm_is_free) dispatch(now);
}

/// A run that the arm was writing has arrived: there is room, and flushes may be done.
void Hdd::settle_written(Time now) {
  if (!m_cache.is_writing()) return;
  m_cache.written();
  while (!m_blocked.empty() && m_cache.fits(m_blocked.front().request.length)) {
    absorb(m_blocked.front(), now);
    m_blocked.pop_front();
  }
  std::erase_if(m_flushes, [&](const Flush& flush) {
    if (m_cache.holds_until(flush.sequence)) return false;
    finish(flush.command, std::max(now, flush.command.ready));
    return true;
  });
}

void Hdd::admit(Time now) {
  while (!m_outside.empty() && inside() < m_depth) {
    Command command = m_outside.front();
    m_outside.pop_front();
    command.ready = now + m_hdd.command_overhead;
    m_counters.electronics += m_hdd.command_overhead;
    enter(command, now);
  }
}

void Hdd::enter(const Command& command, Time now) {
  const Request& request = command.request;
  switch (request.operation) {
    case Operation::read:
      if (!serve_from_buffer(command, now)) m_waiting.push_back(command);
      return;
    case Operation::write:
    case Operation::zero:
      if (request.fua || request.length > m_cache.capacity()) {
        m_waiting.push_back(command);
      } else if (!m_blocked.empty() || !m_cache.fits(request.length)) {
        m_blocked.push_back(command);
      } else {
        absorb(command, now);
      }
      return;
    case Operation::trim:
      m_cache.drop(request.offset, request.length);
      m_buffer.invalidate(request.offset, request.length, now);
      finish(command, command.ready);
      return;
    case Operation::flush:
      if (m_cache.is_clean()) {
        finish(command, command.ready);
      } else {
        m_flushes.push_back({command, m_cache.newest()});
      }
      return;
  }
}

bool Hdd::serve_from_buffer(const Command& command, Time now) {
  const Request& request = command.request;
  const Time ready = std::max(now, command.ready);
  const bool dirty = m_cache.covers(request.offset, request.length);
  if (!dirty && m_buffer.cached(request.offset, request.length, ready) < request.length) return false;
  m_buffer.used(request.offset, request.length, ready);
  m_interface_free = std::max(m_interface_free, ready) + over_interface(request.length);
  m_counters.electronics += over_interface(request.length);
  ++m_counters.read_hits;
  finish(command, m_interface_free);
  return true;
}

void Hdd::serve_hits(Time now) {
  std::erase_if(m_waiting, [&](const Command& command) {
    return command.request.operation == Operation::read && serve_from_buffer(command, now);
  });
}

void Hdd::absorb(const Command& command, Time now) {
  const Request& request = command.request;
  m_cache.add(request.offset, request.length);
  m_buffer.invalidate(request.offset, request.length, now);
  m_interface_free = std::max({m_interface_free, command.ready, now}) + over_interface(request.length);
  m_counters.electronics += over_interface(request.length);
  m_counters.queue += std::max(Time{0}, now - command.ready);
  ++m_counters.write_hits;
  finish(command, m_interface_free);
}

void Hdd::finish(const Command& command, Time due) {
  m_decided.insert(due);
  complete(command.request, command.arrival, due);
}

void Hdd::dispatch(Time now) {
  if (m_cache.has_work() && (m_waiting.empty() || (must_destage() && !m_destaged_last))) {
    m_destaged_last = true;
    destage(now);
  } else if (!m_waiting.empty()) {
    m_destaged_last = false;
    const auto chosen = m_waiting.begin() + static_cast<std::ptrdiff_t>(choose(now));
    const Command command = *chosen;
    m_waiting.erase(chosen);
    execute(command, now);
  }
}

bool Hdd::must_destage() const {
  return !m_blocked.empty() || !m_flushes.empty() ||
         static_cast<double>(m_cache.used()) > k_nearly_full * static_cast<double>(m_cache.capacity());
}

/// The nearest command, or the first one when it has waited too long.
std::size_t Hdd::choose(Time now) const {
  if (now - m_waiting.front().ready > m_hdd.age_limit) return 0;
  std::size_t best = 0;
  Time least = Time::max();
  for (std::size_t i = 0; i < m_waiting.size(); ++i) {
    const Time cost = positioning_of(m_waiting[i], now);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

void Hdd::execute(const Command& command, Time now) {
  const Request& request = command.request;
  const Time start = std::max(now, command.ready);
  m_counters.queue += std::max(Time{0}, start - command.arrival - m_hdd.command_overhead);
  if (is_write(request)) {
    m_cache.drop(request.offset, request.length);
    m_buffer.invalidate(request.offset, request.length, start);
    use_arm(request.offset, request.length, true, start);
    finish(command, m_arm_free);
    return;
  }
  const std::uint64_t missing = first_missing(request, start);
  if (missing != request.offset) ++m_counters.read_partial_hits;
  use_arm(missing, request.end() - missing, false, start);
  m_buffer.filled(request.offset, request.length, m_arm_free);
  // The interface is faster than the platter: what is left when the arm is done is the last sector.
  const Time tail = over_interface(std::min(request.length, m_sector));
  m_counters.electronics += tail;
  finish(command, m_arm_free + tail);
}

void Hdd::destage(Time now) {
  const std::uint64_t head = m_buffer.head(now).value_or(m_head);
  const auto runs = m_cache.runs_from(head, k_destage_choice);
  const auto nearest = std::min_element(runs.begin(), runs.end(), [&](const auto& a, const auto& b) {
    return move_to(a.offset, true, now).positioning() < move_to(b.offset, true, now).positioning();
  });
  m_cache.begin_write(*nearest);
  use_arm(nearest->offset, nearest->length, true, now);
  m_counters.destaged_bytes += nearest->length;
}

Time Hdd::positioning_of(const Command& command, Time now) const {
  const Time start = std::max(now, command.ready);
  const std::uint64_t target =
      is_write(command.request) ? command.request.offset : first_missing(command.request, start);
  return start - now + move_to(target, is_write(command.request), start).positioning();
}

Hdd::Move Hdd::move_to(std::uint64_t target, bool write, Time start) const {
  Move move{m_buffer.head(start).value_or(m_head), Time{0}, Time{0}};
  move.seek = m_platter->seek(move.from, target);
  if (write && move.seek > Time{0}) move.seek += m_hdd.write_settle;
  move.rotation = m_platter->rotation_wait(start + move.seek, target);
  return move;
}

void Hdd::use_arm(std::uint64_t offset, std::uint64_t length, bool write, Time start) {
  const Move move = move_to(offset, write, start);
  m_buffer.stop(start);
  const Time transfer = m_platter->transfer(offset, length);
  m_arm_free = start + move.positioning() + transfer;
  m_head = offset + length - 1;

  Counters& counters = m_counters;
  ++(write ? counters.arm_writes : counters.arm_reads);
  counters.seek += move.seek;
  counters.rotation += move.rotation;
  counters.transfer += transfer;
  counters.busy += move.positioning() + transfer;
  counters.distance += m_platter->distance(move.from, offset);
  counters.distance_bytes += move.from > offset ? move.from - offset : offset - move.from;
  const std::size_t region = counters.regions.index_of(offset);
  counters.by_region[region].arm += move.positioning() + transfer;
  CrossingCounters& crossing = counters.crossings[m_region * counters.regions.size() + region];
  ++crossing.moves;
  crossing.seek += move.seek;
  crossing.rotation += move.rotation;
  m_region = region;
}

/// Where the part of a read begins that the buffer does not have.
std::uint64_t Hdd::first_missing(const Request& request, Time now) const {
  const std::uint64_t cached = m_buffer.cached(request.offset, request.length, now);
  return request.offset + std::min(cached, request.length - 1);
}

std::size_t Hdd::inside() const { return m_waiting.size() + m_blocked.size() + m_flushes.size() + m_decided.size(); }

Time Hdd::over_interface(std::uint64_t length) const {
  return from_seconds(static_cast<double>(length) / static_cast<double>(m_hdd.interface_rate));
}

}  // namespace swaprig::simdrive
