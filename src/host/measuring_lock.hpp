#pragma once

#include <string_view>

#include "base/files.hpp"

namespace swaprig::host {

/// The right to measure on this host (its network namespace): one swaprig at a time, whatever its state folder and its
/// user, since two guests at once would disturb each other's times. An abstract UNIX socket, which the kernel frees when
/// its process ends.
class MeasuringLock {
 public:
  /// Throws HostError that names the process that measures now.
  explicit MeasuringLock(std::string_view name = "swaprig measures");

 private:
  Fd m_socket;
};

}  // namespace swaprig::host
