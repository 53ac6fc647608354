#include "guest/boot_watch.hpp"

#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::guest {

namespace {

constexpr Bytes k_console_tail = kib(64);
constexpr std::chrono::milliseconds k_poll{50};
/// Reading the console is cheaper than asking, but not free: every few polls.
constexpr int k_console_every = 5;

/// The rest of the last line that holds the words, from the words on.
std::string line_from(const std::string& text, std::string_view words) {
  const auto at = text.rfind(words);
  if (at == std::string::npos) return {};
  const auto line = text.substr(at, text.find_first_of("\r\n", at) - at);
  return printable_line(line);
}

}  // namespace

BootOutcome read_console(const std::string& tail) {
  constexpr std::string_view k_init_failed = "swaprig: init failed: ";
  BootOutcome outcome;
  outcome.console_tail = tail;
  if (auto words = line_from(tail, k_init_failed); !words.empty()) {
    outcome.end = BootEnd::exited;
    outcome.reason = words.substr(k_init_failed.size());
  } else if (words = line_from(tail, "Kernel panic"); !words.empty()) {
    outcome.end = BootEnd::panicked;
    outcome.reason = words;
  }
  return outcome;
}

BootOutcome wait_for_agent(host::Machine& machine, GuestAgent& agent, const std::filesystem::path& console,
                           Clock& clock, std::chrono::milliseconds timeout, const std::function<void()>& keep_waiting) {
  const auto begin = clock.monotonic();
  const auto concluded = [&](BootEnd end) {
    // A machine that is gone has written its last words; the console says which kind of end it was.
    auto outcome = read_console(read_tail(console, k_console_tail));
    if (end == BootEnd::answers || outcome.end == BootEnd::silent) outcome.end = end;
    outcome.duration = clock.monotonic() - begin;
    return outcome;
  };
  for (int turn = 1;; ++turn) {
    if (agent.answers()) return concluded(BootEnd::answers);
    const auto state = machine.state();
    if (state == host::MachineState::panicked) return concluded(BootEnd::panicked);
    if (state == host::MachineState::shut_off) return concluded(BootEnd::exited);
    if (turn % k_console_every == 0) {
      auto outcome = concluded(BootEnd::silent);
      if (outcome.end != BootEnd::silent) return outcome;
      if (keep_waiting) keep_waiting();
    }
    if (clock.monotonic() - begin >= timeout) return concluded(BootEnd::silent);
    clock.sleep(k_poll);
  }
}

}  // namespace swaprig::guest
