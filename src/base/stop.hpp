#pragma once

#include <atomic>
#include <csignal>

#include "base/error.hpp"

namespace swaprig {

/// The user or the system wants us to stop: the guest is destroyed, the state saved, the exit code says so.
class Interrupted : public Error {
 public:
  explicit Interrupted(int signal)
      : Error(signal == SIGTERM ? "terminated" : "interrupted",
              signal == SIGTERM ? ExitCode::terminated : ExitCode::interrupted) {}
};

/// The number of the signal that asked us to stop, 0 until then; set by a signal handler.
class StopFlag {
 public:
  void set(int signal) { m_signal.store(signal); }
  bool is_set() const { return m_signal.load() != 0; }
  /// Throws Interrupted once the flag is set.
  void check() const {
    if (const int signal = m_signal.load(); signal != 0) throw Interrupted(signal);
  }

 private:
  std::atomic<int> m_signal{0};
  static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace swaprig
