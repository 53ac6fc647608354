#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "guest/observations.hpp"

namespace swaprig::guest {

/// What the probe wrote down. A reading that it could not take is missing here, never 0.
struct ProbeResult {
  WorkloadEnd workload;
  GuestMoment before;
  GuestMoment after;
  std::vector<Sample> samples;
  std::vector<std::string> kernel_messages;  ///< new ones in the window; raw from the guest
  bool kernel_messages_lost = false;
  bool command_not_executable = false;  ///< no such command, or it may not be executed
  std::int64_t samples_lost = 0;
  std::int64_t sampler_us = 0;          ///< the probe's own CPU time in the window
  std::int64_t leftover_processes = 0;  ///< that the workload left running; killed afterwards
};

/// The largest result file that is read from a guest.
inline constexpr std::uint64_t k_result_limit = 15U << 20U;

/// Reads a result file (base/wire.hpp). Whatever a guest put there, the answer is a result or AgentError. Pure.
ProbeResult parse_probe_result(std::string_view text);

}  // namespace swaprig::guest
