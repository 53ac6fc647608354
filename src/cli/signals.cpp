#include "cli/signals.hpp"

#include <unistd.h>

#include <csignal>

namespace swaprig::cli {

namespace {

StopFlag* g_stop = nullptr;  // a signal handler has no other way to reach it

void on_signal(int signal) {
  if (g_stop->is_set()) _exit(128 + (signal == SIGTERM ? SIGTERM : SIGINT));
  g_stop->set(signal);
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
