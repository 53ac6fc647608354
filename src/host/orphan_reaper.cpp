#include "host/orphan_reaper.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "host/event_loop.hpp"

namespace swaprig::host {
namespace {

constexpr std::chrono::milliseconds k_look_again{50};

/// Leaves everything as it is.
bool some_child_has_ended() {
  siginfo_t ended{};
  return ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0;
}

void reap_orphans() {
  const int self = ::getpid();
  const int own_session = ::getsid(0);
  for (const auto& [pid, stat] : children_of(self)) {
    siginfo_t ignored{};
    if (is_ended_orphan(pid, stat, self, own_session)) {
      ::waitid(P_PID, static_cast<id_t>(pid), &ignored, WEXITED | WNOHANG);
    }
  }
}

}  // namespace

bool is_ended_orphan(int pid, const ProcessStat& stat, int self, int own_session) {
  return stat.state == 'Z' && stat.parent == self && stat.session != own_session && stat.session != pid;
}

OrphanReaper::OrphanReaper() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const SignalsBlocked blocked;
  m_thread = std::thread([this] { run(); });
}

OrphanReaper::~OrphanReaper() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_wake.notify_one();
  m_thread.join();
}

void OrphanReaper::run() {
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, k_look_again, [this] { return m_stop; })) {
    if (some_child_has_ended()) reap_orphans();
  }
}

}  // namespace swaprig::host
