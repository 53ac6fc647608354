#include "host/measuring_lock.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/error.hpp"

namespace swaprig::host {
namespace {

struct Address {
  sockaddr_un value{};
  socklen_t length = 0;
};

/// Abstract: a zero byte, then the name; no file anywhere.
Address address(std::string_view name) {
  Address address;
  address.value.sun_family = AF_UNIX;
  std::memcpy(address.value.sun_path + 1, name.data(), name.size());
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

/// Never waits: a full queue of askers is an answer too.
Fd new_socket() {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) throw FileError("cannot make the socket of", "the measuring lock", errno);
  return fd;
}

/// The process that listens there, 0 when that is not known.
int holder(const Address& at) {
  const Fd fd = new_socket();
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&at.value), at.length) != 0) return 0;
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}

}  // namespace

MeasuringLock::MeasuringLock(std::string_view name) : m_socket(new_socket()) {
  const auto at = address(name);
  if (::bind(m_socket.get(), reinterpret_cast<const sockaddr*>(&at.value), at.length) != 0) {
    if (errno != EADDRINUSE) throw FileError("cannot take", "the measuring lock", errno);
    const int pid = holder(at);
    throw HostError(fmt::format("another swaprig{} is measuring on this host, and two at once would disturb each other; "
                                "wait for it, or stop it",
                                pid > 0 ? fmt::format(" (process {})", pid) : ""));
  }
  if (::listen(m_socket.get(), SOMAXCONN) != 0) throw FileError("cannot listen on", "the measuring lock", errno);
}

}  // namespace swaprig::host
