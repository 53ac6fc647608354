#include "base/service_notify.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/files.hpp"

namespace swaprig {
namespace {

constexpr timeval k_patience{1, 0};

}  // namespace

void notify_service(std::string_view state) {
  const char* variable = std::getenv("NOTIFY_SOCKET");
  const std::string_view where = variable != nullptr ? variable : "";
  sockaddr_un address{};
  // Other families (vsock:) are for the managers of virtual machines.
  if (where.size() < 2 || where.size() >= sizeof(address.sun_path) || (where[0] != '/' && where[0] != '@')) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, where.data(), where.size());
  if (where[0] == '@') address.sun_path[0] = '\0';  // an abstract socket, without a file

  const Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &k_patience, sizeof(k_patience));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + where.size());
  ::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
}

}  // namespace swaprig
