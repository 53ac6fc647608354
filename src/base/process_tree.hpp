#pragma once

#include <sys/types.h>

namespace swaprig {

/// SIGKILL for a child of ours that leads its process group, for that group, and for all its descendants, also those
/// with a session of their own. What was left behind on purpose (its parent ended, it belongs to init) is not found.
void kill_process_tree(pid_t leader);

}  // namespace swaprig
