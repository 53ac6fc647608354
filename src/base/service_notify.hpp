#pragma once

#include <string_view>

namespace swaprig {

/// Tells the service manager that started us (sd_notify(3), over the socket in NOTIFY_SOCKET) lines such as "READY=1",
/// "WATCHDOG=1" or "STATUS=run 3 of 12"; several are separated by newlines. Does nothing when no manager asked for it.
/// Never throws, and waits at most 1 s for a manager that does not read: one that misses a word says so itself.
void notify_service(std::string_view state);

}  // namespace swaprig
