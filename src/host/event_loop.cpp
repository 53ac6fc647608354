#include "host/event_loop.hpp"

#include <pthread.h>

#include "host/libvirt_handles.hpp"

namespace swaprig::host {
namespace {

void do_nothing(int, void*) {}

/// libvirt takes one registration a process.
void register_default_loop() {
  static const int registered = virEventRegisterDefaultImpl();
  check(registered, "registering libvirt's event loop");
}

}  // namespace

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &m_before);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

EventLoop::EventLoop() {
  register_default_loop();
  m_waker = check(virEventAddTimeout(-1, &do_nothing, nullptr, nullptr), "adding a timer to libvirt's event loop");
  const SignalsBlocked blocked;
  m_thread = std::thread([this] {
    while (!m_stop.load()) {
      if (virEventRunDefaultImpl() < 0) break;
    }
  });
}

EventLoop::~EventLoop() {
  m_stop.store(true);
  virEventUpdateTimeout(m_waker, 0);
  m_thread.join();
  virEventRemoveTimeout(m_waker);
}

}  // namespace swaprig::host
