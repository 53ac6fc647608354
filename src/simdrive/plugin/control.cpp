#include "simdrive/plugin/control.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace swaprig::simdrive {

namespace {

constexpr std::size_t k_longest_line = 4096;
constexpr int k_patience_ms = 1000;

bool send_all(int socket, const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t part = send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    sent += static_cast<std::size_t>(part);
  }
  return true;
}

}  // namespace

Control::Control(const std::string& path) : m_path(path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error("the path of the control socket is too long");
  path.copy(address.sun_path, path.size());
  m_listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  m_stop = eventfd(0, EFD_CLOEXEC);
  const bool made = m_listener >= 0 && m_stop >= 0 && fchmod(m_listener, 0600) == 0 &&
                    bind(m_listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  if (!made || listen(m_listener, 16) != 0) {
    const int error = errno;
    close(m_listener);
    close(m_stop);
    throw std::runtime_error("making the control socket " + path + ": " +
                             (error == EADDRINUSE ? "the path is taken" : std::strerror(error)));
  }
}

Control::~Control() {
  unlink(m_path.c_str());
  const std::uint64_t one = 1;
  if (m_thread.joinable() && write(m_stop, &one, sizeof(one)) == sizeof(one)) m_thread.join();
  close(m_listener);
  close(m_stop);
}

void Control::start(Handler handler) {
  m_handler = std::move(handler);
  m_thread = std::thread([this] { serve(); });
}

void Control::serve() {
  for (;;) {
    std::array<pollfd, 2> wanted{{{m_stop, POLLIN, 0}, {m_listener, POLLIN, 0}}};
    if (poll(wanted.data(), wanted.size(), -1) < 0) continue;
    if (wanted[0].revents != 0) return;
    const int connection = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    serve_connection(connection);
    close(connection);
  }
}

void Control::serve_connection(int connection) {
  const timeval patience{k_patience_ms / 1000, 0};
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  std::string pending;
  std::array<char, 1024> buffer{};
  while (pending.size() < k_longest_line) {
    std::array<pollfd, 2> wanted{{{m_stop, POLLIN, 0}, {connection, POLLIN, 0}}};
    if (poll(wanted.data(), wanted.size(), k_patience_ms) <= 0 || wanted[0].revents != 0) return;
    const ssize_t got = recv(connection, buffer.data(), buffer.size(), 0);
    if (got <= 0) return;
    pending.append(buffer.data(), static_cast<std::size_t>(got));
    for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      const std::string line = pending.substr(0, end);
      pending.erase(0, end + 1);
      if (!send_all(connection, m_handler(line) + "\n")) return;
    }
  }
}

}  // namespace swaprig::simdrive
