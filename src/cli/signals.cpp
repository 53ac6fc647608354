#include "cli/signals.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace swaprig::cli {

namespace {

// A signal handler has no other way to reach them.
StopFlag* g_stop = nullptr;
volatile std::sig_atomic_t g_first_second = 0;  ///< of CLOCK_MONOTONIC

/// timeout(1) signals its child and then its whole group: nobody asked twice.
constexpr std::sig_atomic_t k_same_wish_s = 2;

std::sig_atomic_t now_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::sig_atomic_t>(now.tv_sec);
}

void on_signal(int signal) {
  if (!g_stop->is_set()) {
    g_first_second = now_s();
    g_stop->set(signal);
  } else if (now_s() - g_first_second >= k_same_wish_s) {
    _exit(128 + (signal == SIGTERM ? SIGTERM : SIGINT));
  }
}

}  // namespace

void stop_on_signals(StopFlag& stop) {
  g_stop = &stop;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;  // nohup means it
    sigaction(signal, &action, nullptr);
  }
}

void survive_broken_pipes() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
}

}  // namespace swaprig::cli
