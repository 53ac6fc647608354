#include "guest/probe_channel.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::guest;
using namespace std::chrono_literals;

namespace {

/// QEMU's side: listens, takes one connection, sends what the test says.
class Listener {
 public:
  explicit Listener(const std::filesystem::path& path) : m_socket(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    REQUIRE(bind(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(listen(m_socket.get(), 1) == 0);
  }

  void take() { m_peer = Fd(accept(m_socket.get(), nullptr, nullptr)); }
  void send(const std::string& text) {
    REQUIRE(write(m_peer.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void hang_up() { m_peer = Fd(); }

 private:
  Fd m_socket;
  Fd m_peer;
};

struct Line {
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "probe";
  Listener listener{path};
  SystemClock clock;
  ProbeChannel channel{path, clock};

  Line() { listener.take(); }
};

}  // namespace

TEST_CASE("lines are stamped when they arrive and taken in order") {
  Line line;
  const auto before = line.clock.monotonic();
  line.listener.send(std::string(wire::k_start_line) + "\nswaprig 1 ");
  const auto start = line.channel.wait_for(wire::k_start_line, 10s);
  line.listener.send("end\nswaprig 1 result\n");
  const auto end = line.channel.wait_for(wire::k_end_line, 10s);
  REQUIRE(start.has_value());
  REQUIRE(end.has_value());
  CHECK(*start >= before);
  CHECK(*end >= *start);
  CHECK(*end <= line.clock.monotonic());
  CHECK(line.channel.wait_for(wire::k_result_line, 10s).has_value());
  CHECK_FALSE(line.channel.wait_for(wire::k_start_line, 0s).has_value());
}

TEST_CASE("the stamp is of the arrival, not of the asking") {
  Line line;
  line.listener.send("one\ntwo\n");
  const auto two = line.channel.wait_for("two", 10s);
  const auto asked = line.clock.monotonic();
  REQUIRE(two.has_value());
  CHECK(*two <= asked);
  CHECK_FALSE(line.channel.wait_for("one", 0s).has_value());
}

TEST_CASE("waiting ends at the limit, at a no, and when the guest is gone") {
  Line line;
  CHECK_FALSE(line.channel.wait_for("never", 1ms).has_value());
  int asked = 0;
  CHECK_FALSE(line.channel.wait_for("never", 1h, [&] { return ++asked < 2; }).has_value());
  CHECK(asked == 2);
  CHECK_FALSE(line.channel.closed());
  line.listener.send("last\n");
  line.listener.hang_up();
  CHECK(line.channel.wait_for("last", 10s).has_value());
  CHECK_FALSE(line.channel.wait_for("never", 1h).has_value());
  CHECK(line.channel.closed());
}

TEST_CASE("a guest that floods the channel fills nothing") {
  Line line;
  line.listener.send(std::string(100'000, 'x') + "\nafter\n");
  CHECK(line.channel.wait_for("after", 10s).has_value());
  std::string flood;
  for (int i = 0; i < 5000; ++i) flood += "flood\n";
  line.listener.send(flood + "too late\n");
  line.listener.hang_up();
  CHECK_FALSE(line.channel.wait_for("too late", 1h).has_value());
}

TEST_CASE("a path that no socket can have") {
  SystemClock clock;
  CHECK_THROWS_AS(ProbeChannel("/tmp/" + std::string(120, 'x'), clock), AgentError);
}
