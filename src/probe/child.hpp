#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "probe/job.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

/// A command that was started in a process group of its own.
struct Child {
  pid_t pid = 0;
  Descriptor handle;            ///< pidfd: readable when it has ended
  Descriptor output;            ///< what it writes to stdout and stderr, not blocking
  std::string exec_error;       ///< why it could not be executed; then it has ended already
  std::int64_t started_ns = 0;  ///< CLOCK_MONOTONIC before the fork
};

/// Starts the job's command as its user, with a clean environment, stdin from /dev/null and a normal OOM score.
/// `environment` comes from environment_of. Throws Failure when there is no process or pipe to be had.
Child start_child(const Job& job, const Account& account, const std::vector<std::string>& environment);

/// Leaves the guest agent's cgroup, whose memory is kept for the agent alone. Throws Failure.
void leave_agent_cgroup(const std::string& cgroup_procs);

inline constexpr const char* k_root_cgroup_procs = "/sys/fs/cgroup/cgroup.procs";

}  // namespace swaprig::probe
