#pragma once

#include "base/stop.hpp"

namespace swaprig::cli {

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the flag, and one that comes two seconds later or more ends the process at once; what it
/// leaves is cleaned by the next command. `stop` must outlive the process's work.
void stop_on_signals(StopFlag& stop);

/// Whoever reads our output, or a server that we talk to, may go away without ending a batch: an error of write(2).
void survive_broken_pipes();

}  // namespace swaprig::cli
