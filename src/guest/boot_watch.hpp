#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "base/clock.hpp"
#include "base/duration.hpp"
#include "guest/guest_agent.hpp"
#include "host/machine.hpp"

namespace swaprig::guest {

/// How a boot came out. `exited`: QEMU is gone without a panic, or our init gave up and said why.
enum class BootEnd { answers, panicked, exited, silent };

struct BootOutcome {
  BootEnd end = BootEnd::silent;
  std::string reason;        ///< the kernel's or our init's own words, escaped; empty when there are none
  std::string console_tail;  ///< the last 64 KiB at most, raw from the guest
  Nanoseconds duration{0};
};

/// Waits until the agent answers or something else is certain, at most `timeout`. `keep_waiting` is called a few times
/// a second and may throw.
BootOutcome wait_for_agent(host::Machine& machine, GuestAgent& agent, const std::filesystem::path& console,
                           Clock& clock, std::chrono::milliseconds timeout,
                           const std::function<void()>& keep_waiting = {});

/// What a console says about the end of its guest; `silent` when it says nothing. Pure.
BootOutcome read_console(const std::string& tail);

}  // namespace swaprig::guest
