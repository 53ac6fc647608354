#include "base/service_notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/files.hpp"
#include "support/catch.hpp"

using namespace swaprig;

namespace {

/// A service manager's end; `where` is what it would put into NOTIFY_SOCKET.
class Manager {
 public:
  explicit Manager(const std::string& where) : m_fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, where.data(), where.size());
    if (where[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + where.size());
    REQUIRE(::bind(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), length) == 0);
    ::setenv("NOTIFY_SOCKET", where.c_str(), 1);
  }
  ~Manager() { ::unsetenv("NOTIFY_SOCKET"); }

  /// The next word that came, or "nothing".
  std::string heard() {
    std::array<char, 4096> buffer{};
    const auto n = ::recv(m_fd.get(), buffer.data(), buffer.size(), 0);
    return n < 0 ? "nothing" : std::string(buffer.data(), static_cast<std::size_t>(n));
  }

 private:
  Fd m_fd;
};

}  // namespace

TEST_CASE("the service manager is told over its socket") {
  const TemporaryFolder folder;
  Manager manager((folder.path() / "notify").string());
  notify_service("READY=1\nSTATUS=run 1 of 3");
  CHECK(manager.heard() == "READY=1\nSTATUS=run 1 of 3");
  notify_service("WATCHDOG=1");
  CHECK(manager.heard() == "WATCHDOG=1");
  CHECK(manager.heard() == "nothing");
}

TEST_CASE("the service manager's socket may be an abstract one") {
  Manager manager("@swaprig-test-" + std::to_string(::getpid()));
  notify_service("STOPPING=1");
  CHECK(manager.heard() == "STOPPING=1");
}

TEST_CASE("without a service manager nothing is told, and nothing goes wrong") {
  ::unsetenv("NOTIFY_SOCKET");
  notify_service("READY=1");
  for (const std::string& where : {std::string("/no/such/socket"), std::string("@"), std::string("vsock:2:1"),
                                   std::string("relative"), std::string(), '/' + std::string(200, 'x')}) {
    ::setenv("NOTIFY_SOCKET", where.c_str(), 1);
    notify_service("READY=1");
  }
  ::unsetenv("NOTIFY_SOCKET");
}

TEST_CASE("a service manager that does not read holds nothing up for long") {
  const TemporaryFolder folder;
  Manager manager((folder.path() / "notify").string());
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::steady_clock::now() - begin; };
  // The kernel keeps net.unix.max_dgram_qlen of them, then a sender waits.
  for (int i = 0; i < 5000 && passed() < std::chrono::seconds(1); ++i) notify_service("WATCHDOG=1");
  CHECK(passed() < std::chrono::seconds(30));
  CHECK(manager.heard() == "WATCHDOG=1");
}
