#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

#include "simdrive/model/drive_model.hpp"
#include "simdrive/model/faults.hpp"
#include "simdrive/model/overdue.hpp"
#include "simdrive/plugin/settings.hpp"

namespace swaprig::simdrive {

/// How a request was carried out in real time. On the stack of the thread that serves it.
struct Ticket {
  enum State : int { waiting, released, lost };

  std::atomic<int> state{waiting};
  bool bad = false;  ///< touches a bad range
  bool decided = false;
  Time arrival{0};   ///< real time since the start, as all below
  Time modelled{0};  ///< when the model has it done
  Time deadline{0};  ///< when it has to leave the server
  Time released_at{0};
};

/// How well real time followed the model.
struct DeliveryCounters {
  OverdueTime late;     ///< real time in which at least one request was overdue by more than k_tolerated
  Histogram lateness;   ///< ns behind the deadline, per request
  Histogram modelled;   ///< ns
  Histogram delivered;  ///< ns from arrival to leaving, the transport added
  std::uint64_t requests = 0;
  std::uint64_t floor_limited = 0;  ///< requests that the model has done sooner than the transport takes
};

/// Brings a drive model into real time: what the model decides is handed out when its moment has come. One thread
/// keeps the deadlines; those who wait sleep until it wakes them. It spins before a deadline, for at most k_spin.
class Delivery {
 public:
  static constexpr Time k_spin = std::chrono::microseconds(60);
  /// Below it a request is not late but as fast as the way to the server lets it be.
  static constexpr Time k_tolerated = std::chrono::microseconds(100);

  explicit Delivery(const Settings& settings);
  ~Delivery();
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

  /// After the server's fork.
  void start();

  /// Real time since the server's start.
  Time now() const;

  /// The request arrives now; its number in it does not matter.
  void submit(Request request, Ticket& ticket);
  /// Blocks until the request is due. False when the drive has vanished.
  bool wait(Ticket& ticket);

  /// After that time.
  void vanish(Time after);
  void add_bad(const BadRange& range);
  /// RegionMap::extend
  bool extend_region(const Region& extent);
  bool vanished() const;
  /// Every request that waits is let go at once, late ones too.
  void stop();

  /// Calls with the model's counters (in the model's own time) and those of the delivery, both at one moment.
  void read_counters(const std::function<void(const Counters&, const DeliveryCounters&, Time now)>& reader);

 private:
  struct Deadline {
    Time when;
    Ticket* ticket;
    bool operator>(const Deadline& other) const { return when > other.when; }
  };

  Time model_time(Time real) const;
  Time real_time(Time model) const;
  void advance(Time now);
  void take_decisions(Time now);
  void release(Ticket& ticket, int state, Time now);
  void release_due(Time now);
  void lose_all(Time now);
  /// When the timer has something to do; `spin` tells whether it has to be exact.
  Time next_wake(bool& spin) const;
  void wake_timer_for(Time now);
  void run_timer();
  void record(const Ticket& ticket, Time left);

  const double m_scale;
  const Time m_transport;
  const std::chrono::steady_clock::time_point m_start;

  mutable std::mutex m_mutex;
  std::unique_ptr<DriveModel> m_model;
  Faults m_faults;
  std::map<std::uint64_t, Ticket*> m_tickets;  ///< not decided yet
  std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> m_deadlines;
  std::uint64_t m_last_id = 0;
  bool m_stopping = false;
  bool m_lost = false;

  std::condition_variable m_wake;
  Time m_sleeps_until{0};  ///< 0: the timer is awake
  std::atomic<Time::rep> m_spins_until{0};
  std::atomic<Time::rep> m_lead{0};  ///< what waking a thread takes, about

  std::mutex m_counters_mutex;
  DeliveryCounters m_counters;

  std::thread m_timer;
};

}  // namespace swaprig::simdrive
