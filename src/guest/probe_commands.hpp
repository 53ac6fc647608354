#pragma once

// The probe's short modes, each one call of the agent.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/duration.hpp"
#include "guest/guest_agent.hpp"

namespace swaprig::guest {

/// A command that the probe ran outside the agent's cgroup, with a normal OOM score.
struct StepResult {
  int status = 0;  ///< exit status, or 128 + signal
  bool timed_out = false;
  std::string words;    ///< stdout and stderr, raw from the guest
  Seconds duration{0};  ///< on the guest's clock
};

StepResult run_step(GuestAgent& agent, const std::vector<std::string>& command, std::chrono::seconds timeout);

struct Settled {
  double sync_seconds = 0;
  double idle_wait_seconds = 0;
  bool idle_reached = false;
};

/// sync, drop caches, wait until the drives ("vda") have been idle for `idle`, at most `limit`. Throws AgentError.
Settled settle(GuestAgent& agent, const std::vector<std::string>& devices, std::chrono::milliseconds idle,
               std::chrono::milliseconds limit);

/// Pure; throws AgentError.
Settled parse_settled(std::string_view text);

/// Where a file lies on its block device, in file order.
struct FileExtents {
  std::string block_device;                                   ///< "vda3"
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  ///< offset and size in bytes, from the device's start
};

FileExtents read_extents(GuestAgent& agent, const std::string& path);

/// Pure; throws AgentError.
FileExtents parse_extents(std::string_view text);

}  // namespace swaprig::guest
