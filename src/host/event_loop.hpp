#pragma once

#include <atomic>
#include <csignal>
#include <thread>

namespace swaprig::host {

/// libvirt's default event loop on a thread of its own; has to exist before a connection is opened and to outlive it.
/// At most one at a time in a process. The destructor ends the thread.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

 private:
  std::atomic<bool> m_stop{false};
  int m_waker = -1;  ///< a timer that ends the loop's wait
  std::thread m_thread;
};

/// Blocks every signal on this thread while it lives. Threads made meanwhile, libvirt's own too, inherit that, so
/// that Ctrl-C reaches the main thread alone.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t m_before{};
};

}  // namespace swaprig::host
