#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "host/processes.hpp"

namespace swaprig::host {

/// Whether a process of that pid and stat is an ended orphan that came to us (`self`), and not a child that somebody
/// in this process waits for: our own children are in our session or lead one of their own. Pure.
bool is_ended_orphan(int pid, const ProcessStat& stat, int self, int own_session);

/// Makes orphans of our descendants our children (PR_SET_CHILD_SUBREAPER, for good) and reaps them while it lives.
/// libvirt's QEMU is a daemon and libvirt takes a zombie for a living one; where the system's first process reaps
/// slowly or never, as in containers, it waits up to 40 s for each.
class OrphanReaper {
 public:
  OrphanReaper();
  ~OrphanReaper();
  OrphanReaper(const OrphanReaper&) = delete;
  OrphanReaper& operator=(const OrphanReaper&) = delete;

 private:
  void run();

  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace swaprig::host
