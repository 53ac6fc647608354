#pragma once

#include <filesystem>

#include "base/command.hpp"

namespace swaprig {

/// Starts the program in a session of its own and waits for its end, or kills it with its descendants when
/// the time is over. Throws CommandError when it cannot be started.
/// Once `stop` is set (it may be null): SIGTERM to its process group, 10 s later SIGKILL to it and its descendants;
/// throws Interrupted when it has ended.
CommandResult run_child_process(const std::filesystem::path& program, const Command& command, const StopFlag* stop);

}  // namespace swaprig
