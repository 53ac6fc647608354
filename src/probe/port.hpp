#pragma once

#include <string>
#include <string_view>

#include "probe/system.hpp"

namespace swaprig::probe {

/// The probe's line to the host.
class Port {
 public:
  /// `path` empty: the virtio serial port of our name; "none": lines go nowhere. Throws Failure.
  explicit Port(const std::string& path);

  /// Sends a line and its newline. Waits for the host to listen, at most `limit_ms`; false when it does not.
  bool send(std::string_view line, int limit_ms) const;

 private:
  Descriptor m_port;
  bool m_used = true;
};

}  // namespace swaprig::probe
