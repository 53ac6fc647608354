#pragma once

#include <filesystem>

#include "base/command.hpp"

namespace swaprig {

/// Starts the program in a session of its own and waits for its end, or kills the session's process group when
/// the time is over. Throws CommandError when it cannot be started.
/// Once `stop` is set (it may be null): SIGTERM to the group, SIGKILL 10 s later; throws Interrupted when it has ended.
CommandResult run_child_process(const std::filesystem::path& program, const Command& command, const StopFlag* stop);

}  // namespace swaprig
