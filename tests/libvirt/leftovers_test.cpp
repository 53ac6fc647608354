#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "host/libvirt_host.hpp"
#include "host/processes.hpp"
#include "host/registered_folder.hpp"
#include "support/catch.hpp"
#include "tiny_guest.hpp"

using namespace swaprig;
using namespace swaprig::host;

namespace {

bool lives(const Process& wanted) {
  return !find_processes([&](const Process& process) {
            return process.pid == wanted.pid && process.started == wanted.started && !process.arguments.empty();
          }).empty();
}

}  // namespace

TEST_CASE("after kill -9 of a swaprig with a guest, the next one ends the guest and removes the rest") {
  const TemporaryFolder folder;
  const Folders folders{folder.path() / "state", folder.path() / "cache"};
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::close(pipe[0]);
    ::execl(LEFT_BEHIND, LEFT_BEHIND, folder.path().c_str(), nullptr);
    ::_exit(127);
  }
  ::close(pipe[1]);
  const Fd output(pipe[0]);
  std::array<char, 64> text{};
  REQUIRE(::read(output.get(), text.data(), text.size() - 1) > 0);
  const int pid = std::stoi(text.data());
  const auto found = find_processes([&](const Process& process) { return process.pid == pid; });
  REQUIRE(found.size() == 1);
  const Process qemu = found[0];

  CHECK(clean_leftovers(folders).empty());  // its swaprig lives
  CHECK(lives(qemu));

  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(lives(qemu));
  const auto done = clean_leftovers(folders);
  REQUIRE(done.size() == 2);
  CHECK(done[0].find("pid " + std::to_string(pid)) != std::string::npos);
  CHECK_FALSE(lives(qemu));
  CHECK(std::filesystem::is_empty(registrations(folders)));
  CHECK(clean_leftovers(folders).empty());
}
