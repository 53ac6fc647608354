#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/machine.hpp"

namespace swaprig::host {

/// The rate of this host's time stamp counter, measured against CLOCK_MONOTONIC in 50 ms; nothing when the counter
/// does not run at one rate (no constant_tsc and nonstop_tsc).
std::optional<std::uint64_t> host_tsc_khz();

/// Kernel arguments that keep the guest's clock right. Under TCG the guest's TSC is the host's, and the guest's kernel
/// calibrates it against emulated timers: on a busy host a 17th of the true rate was seen. So it is told the
/// rate (tsc_early_khz); its own refinement then has to agree within 1 %. Arguments of the user's that name tsc or
/// clocksource are left as they are. Pure.
std::string with_stable_clock(const std::string& kernel_arguments, Virtualisation virtualisation,
                              std::optional<std::uint64_t> tsc_khz);

}  // namespace swaprig::host
