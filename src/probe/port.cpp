#include "probe/port.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "base/wire.hpp"
#include "probe/devices.hpp"

namespace swaprig::probe {

namespace {

std::string find_port() {
  const auto port = virtio_port(wire::k_probe_port);
  if (!port) throw Failure(std::string("no virtio serial port ") + wire::k_probe_port);
  return *port;
}

}  // namespace

Port::Port(const std::string& path) {
  if (path == "none") {
    m_used = false;
    return;
  }
  const std::string device = path.empty() ? find_port() : path;
  m_port = Descriptor(open(device.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!m_port) fail("cannot open the probe's port " + device);
}

bool Port::send(std::string_view line, int limit_ms) const {
  constexpr int k_poll_ms = 5;
  if (!m_used) return true;
  std::array<char, 64> text{};
  const std::size_t length = line.size() + 1;
  if (length > text.size()) return false;
  std::memcpy(text.data(), line.data(), line.size());
  text[line.size()] = '\n';
  // Short enough to go in one piece or not at all. poll(2) is no help: without a listener it returns at once.
  for (int waited = 0;; waited += k_poll_ms) {
    if (write(m_port.get(), text.data(), length) == static_cast<ssize_t>(length)) return true;
    if (waited >= limit_ms) return false;
    sleep_ms(k_poll_ms);
  }
}

}  // namespace swaprig::probe
