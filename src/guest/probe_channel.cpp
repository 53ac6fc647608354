#include "guest/probe_channel.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "guest/guest_agent.hpp"

namespace swaprig::guest {

namespace {

constexpr std::chrono::seconds k_connect_limit{5};

Fd connect_to(const std::filesystem::path& path, Clock& clock) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = path.string();
  const std::string doing = "connecting to the probe's socket " + text + ": ";
  if (text.size() >= sizeof address.sun_path) throw AgentError(doing + "the path is longer than 107 bytes");
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  const auto deadline = clock.monotonic() + k_connect_limit;
  while (true) {
    Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) throw AgentError(doing + std::strerror(errno));
    if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    const int error = errno;
    if (clock.monotonic() >= deadline) throw AgentError(doing + std::strerror(error));
    clock.sleep(std::chrono::milliseconds(50));
  }
}

}  // namespace

ProbeChannel::ProbeChannel(const std::filesystem::path& socket, Clock& clock)
    : m_clock(clock), m_socket(connect_to(socket, clock)), m_wake(eventfd(0, EFD_CLOEXEC)) {
  if (!m_wake) throw AgentError(std::string("cannot make an eventfd: ") + std::strerror(errno));
  m_thread = std::thread([this] { receive(); });
}

ProbeChannel::~ProbeChannel() {
  const std::uint64_t one = 1;
  if (write(m_wake.get(), &one, sizeof one) != sizeof one) shutdown(m_socket.get(), SHUT_RDWR);
  m_thread.join();
}

void ProbeChannel::receive() {
  std::array<char, 4096> bytes;
  while (true) {
    std::array<pollfd, 2> files = {{{m_socket.get(), POLLIN, 0}, {m_wake.get(), POLLIN, 0}}};
    if (poll(files.data(), files.size(), -1) < 0 && errno != EINTR) break;
    if (files[1].revents != 0) break;
    if (files[0].revents == 0) continue;
    const auto arrived = m_clock.monotonic();
    const auto count = read(m_socket.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    take_bytes(bytes.data(), static_cast<std::size_t>(count), arrived);
  }
  const std::lock_guard lock(m_mutex);
  m_closed = true;
  m_changed.notify_all();
}

void ProbeChannel::take_bytes(const char* bytes, std::size_t count, Nanoseconds arrived) {
  const std::lock_guard lock(m_mutex);
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] != '\n') {
      if (m_part.size() < k_line_limit) m_part += bytes[i];
      continue;
    }
    if (m_lines.size() < k_most_lines) m_lines.push_back({m_part, arrived});
    m_part.clear();
  }
  m_changed.notify_all();
}

std::optional<Nanoseconds> ProbeChannel::take_line(const std::string& line) {
  for (std::size_t i = m_taken; i < m_lines.size(); ++i) {
    if (m_lines[i].text != line) continue;
    m_taken = i + 1;
    return m_lines[i].arrived;
  }
  return std::nullopt;
}

std::optional<Nanoseconds> ProbeChannel::wait_for(const std::string& line, std::chrono::nanoseconds limit,
                                                  const std::function<bool()>& keep_waiting) {
  constexpr std::chrono::milliseconds k_turn{100};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (true) {
    {
      std::unique_lock lock(m_mutex);
      if (const auto arrived = take_line(line)) return arrived;
      if (m_closed) return std::nullopt;
      m_changed.wait_for(lock, k_turn);
      if (const auto arrived = take_line(line)) return arrived;
    }
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    if (keep_waiting && !keep_waiting()) return std::nullopt;
  }
}

bool ProbeChannel::closed() const {
  const std::lock_guard lock(m_mutex);
  return m_closed;
}

}  // namespace swaprig::guest
