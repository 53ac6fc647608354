#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// Bytes of memory that the guest agent's cgroup keeps (memory.min), the same in every run; the host reads it from
/// /run/swaprig/reserve.
inline constexpr long k_agent_reserve = 32L << 20;

/// Mount options of the root; one that the kernel does not know is left out and named on the console.
inline constexpr std::string_view k_root_options = "no_prefetch_block_bitmaps,noinit_itable";

/// The option lists to try, in order: all, all but one, none. Pure.
std::vector<std::string> option_attempts(std::string_view options);

/// PID 1 in the initrd: modules, the root drive, then `init2` on the new root. Powers off when it cannot go on.
[[noreturn]] void init_in_initrd();

/// PID 1 on the root: mounts, cgroups, the guest agent; reaps and restarts until a signal ends the guest.
[[noreturn]] void init_on_root();

}  // namespace swaprig::probe
