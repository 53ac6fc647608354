#include "simdrive/plugin/delivery.hpp"

#include <sys/prctl.h>

#include <algorithm>

namespace swaprig::simdrive {

namespace {

using Clock = std::chrono::steady_clock;

/// A thread is woken at most this long before its deadline; it spins the rest. In a virtual machine whose
/// guest computed beside it half of the requests were 49 to 57 us late with a lead of 30 us.
constexpr Time::rep k_longest_lead = 60'000;

/// Sleeps end on time instead of within the usual 50 us.
void sleep_exactly() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace

Delivery::Delivery(const Settings& settings)
    : m_scale(settings.time_scale),
      m_transport(settings.transport),
      m_start(Clock::now()),
      m_model(make_drive_model(settings.drive, RegionMap(settings.regions))),
      m_faults(settings.faults()) {}

Delivery::~Delivery() {
  stop();
  if (m_timer.joinable()) m_timer.join();
}

void Delivery::start() {
  m_timer = std::thread([this] { run_timer(); });
}

Time Delivery::now() const { return Clock::now() - m_start; }

void Delivery::submit(Request request, Ticket& ticket) {
  const std::lock_guard lock(m_mutex);
  const Time moment = now();
  ticket.arrival = moment;
  ticket.bad = m_faults.fails(request, moment);
  if (m_lost || m_faults.vanished(moment) || m_stopping) {
    lose_all(moment);
    release(ticket, m_stopping ? Ticket::released : Ticket::lost, moment);
    return;
  }
  request.id = ++m_last_id;
  m_tickets.emplace(request.id, &ticket);
  m_model->submit(request, model_time(moment));
  take_decisions(moment);
  wake_timer_for(moment);
}

bool Delivery::wait(Ticket& ticket) {
  const bool slept = ticket.state.load(std::memory_order_acquire) == Ticket::waiting;
  ticket.state.wait(Ticket::waiting, std::memory_order_acquire);
  Time moment = now();
  if (ticket.state.load(std::memory_order_acquire) == Ticket::lost) return false;
  if (slept) {
    const Time::rep took = std::min((moment - ticket.released_at).count(), 2 * k_longest_lead);
    const Time::rep lead = m_lead.load(std::memory_order_relaxed);
    m_lead.store(std::min(lead + (took - lead) / 8, k_longest_lead), std::memory_order_relaxed);
  }
  while (moment < ticket.deadline && moment - ticket.released_at < k_spin) moment = now();
  record(ticket, moment);
  return true;
}

void Delivery::vanish(Time after) {
  const std::lock_guard lock(m_mutex);
  const Time moment = now();
  m_faults.vanish(moment + after);
  lose_all(moment);
  wake_timer_for(moment);
}

bool Delivery::extend_region(const Region& extent) {
  const std::lock_guard lock(m_mutex);
  return m_model->extend_region(extent);
}

void Delivery::add_bad(const BadRange& range) {
  const std::lock_guard lock(m_mutex);
  m_faults.add(range);
}

bool Delivery::vanished() const {
  const std::lock_guard lock(m_mutex);
  return m_faults.vanished(now());
}

void Delivery::stop() {
  const std::lock_guard lock(m_mutex);
  m_stopping = true;
  const Time moment = now();
  for (const auto& [id, ticket] : m_tickets) release(*ticket, Ticket::released, moment);
  m_tickets.clear();
  for (; !m_deadlines.empty(); m_deadlines.pop()) release(*m_deadlines.top().ticket, Ticket::released, moment);
  m_spins_until.store(0);
  m_wake.notify_all();
}

void Delivery::read_counters(const std::function<void(const Counters&, const DeliveryCounters&, Time)>& reader) {
  const std::lock_guard lock(m_mutex);
  const Time moment = now();
  advance(moment);
  const std::lock_guard counters_lock(m_counters_mutex);
  reader(m_model->counters(), m_counters, moment);
}

Time Delivery::model_time(Time real) const {
  if (m_scale == 1) return real;
  return Time{static_cast<Time::rep>(static_cast<double>(real.count()) / m_scale)};
}

Time Delivery::real_time(Time model) const {
  if (m_scale == 1) return model;
  return Time{static_cast<Time::rep>(static_cast<double>(model.count()) * m_scale)};
}

void Delivery::advance(Time moment) {
  if (m_lost || m_stopping) return;
  m_model->advance(model_time(moment));
  take_decisions(moment);
}

void Delivery::take_decisions(Time moment) {
  for (const Completion& completion : m_model->take_completions()) {
    const auto found = m_tickets.find(completion.id);
    if (found == m_tickets.end()) continue;
    Ticket& ticket = *found->second;
    m_tickets.erase(found);
    ticket.decided = true;
    ticket.modelled = real_time(completion.due);
    ticket.deadline = std::max(ticket.modelled - m_transport, ticket.arrival);
    if (ticket.deadline <= moment) {
      release(ticket, Ticket::released, moment);
    } else {
      m_deadlines.push({ticket.deadline, &ticket});
    }
  }
}

/// The ticket may be gone as soon as its state has changed: nothing may touch it afterwards but the wake-up, which
/// uses its address alone.
void Delivery::release(Ticket& ticket, int state, Time moment) {
  ticket.released_at = moment;
  ticket.state.store(state, std::memory_order_release);
  ticket.state.notify_one();
}

void Delivery::release_due(Time moment) {
  const Time limit = moment + Time{m_lead.load(std::memory_order_relaxed)};
  while (!m_deadlines.empty() && m_deadlines.top().when <= limit) {
    Ticket& ticket = *m_deadlines.top().ticket;
    m_deadlines.pop();
    release(ticket, Ticket::released, moment);
  }
}

void Delivery::lose_all(Time moment) {
  if (!m_faults.vanished(moment)) return;
  m_lost = true;
  for (const auto& [id, ticket] : m_tickets) release(*ticket, Ticket::lost, moment);
  m_tickets.clear();
  for (; !m_deadlines.empty(); m_deadlines.pop()) release(*m_deadlines.top().ticket, Ticket::lost, moment);
}

Time Delivery::next_wake(bool& spin) const {
  Time next = Time::max();
  spin = false;
  if (m_lost) return next;
  if (const auto event = m_model->next_event()) next = real_time(*event) + Time{1};
  if (const auto moment = m_faults.vanishes()) next = std::min(next, *moment);
  if (!m_deadlines.empty()) {
    const Time deadline = m_deadlines.top().when - Time{m_lead.load(std::memory_order_relaxed)};
    if (deadline <= next) {
      next = deadline;
      spin = true;
    }
  }
  return next;
}

void Delivery::wake_timer_for(Time moment) {
  bool spin = false;
  const Time next = next_wake(spin);
  if (next.count() < m_spins_until.load(std::memory_order_relaxed)) {
    m_spins_until.store(next.count(), std::memory_order_relaxed);
  }
  if (m_sleeps_until != Time{0} && std::max(moment, next - (spin ? k_spin : Time{0})) < m_sleeps_until) {
    m_sleeps_until = Time{0};
    m_wake.notify_one();
  }
}

void Delivery::run_timer() {
  sleep_exactly();
  std::unique_lock lock(m_mutex);
  while (!m_stopping) {
    const Time moment = now();
    lose_all(moment);
    advance(moment);
    release_due(moment);
    bool spin = false;
    const Time next = next_wake(spin);
    const Time sleep_until = spin ? next - k_spin : next;
    if (sleep_until > moment) {
      m_sleeps_until = sleep_until;
      if (next == Time::max()) {
        m_wake.wait(lock);
      } else {
        m_wake.wait_until(lock, m_start + sleep_until);
      }
      m_sleeps_until = Time{0};
    } else if (next > moment) {
      m_spins_until.store(next.count(), std::memory_order_relaxed);
      lock.unlock();
      while (now().count() < m_spins_until.load(std::memory_order_relaxed)) continue;
      lock.lock();
      m_spins_until.store(0, std::memory_order_relaxed);
    }
  }
}

void Delivery::record(const Ticket& ticket, Time left) {
  if (!ticket.decided) return;
  const std::lock_guard lock(m_counters_mutex);
  ++m_counters.requests;
  const Time late = std::max(Time{0}, left - ticket.deadline);
  m_counters.lateness.add(static_cast<std::uint64_t>(late.count()));
  m_counters.modelled.add(static_cast<std::uint64_t>((ticket.modelled - ticket.arrival).count()));
  m_counters.delivered.add(static_cast<std::uint64_t>((left - ticket.arrival + m_transport).count()));
  if (ticket.modelled - ticket.arrival < m_transport) ++m_counters.floor_limited;
  m_counters.late.add(ticket.deadline + k_tolerated, left);
}

}  // namespace swaprig::simdrive
