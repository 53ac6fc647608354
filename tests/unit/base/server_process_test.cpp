#include "base/server_process.hpp"

#include <signal.h>

#include <filesystem>
#include <thread>

#include "base/command.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace std::chrono_literals;

namespace {

std::string end_of(ServerProcess& process) {
  for (int i = 0; i < 2000 && !process.ended(); ++i) std::this_thread::sleep_for(5ms);
  return process.ended().value_or("still there");
}

}  // namespace

TEST_CASE("how a server ended is known, and what it said") {
  const TemporaryFolder folder;
  const auto log = folder.path() / "log";
  ServerProcess exits("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}, log);
  CHECK(end_of(exits) == "exit status 3");
  CHECK(read_file(log) == "out\nerr\n");

  ServerProcess killed("/bin/sh", {"-c", "exec sleep 600"}, log);
  CHECK_FALSE(killed.ended());
  ::kill(killed.pid(), SIGKILL);
  CHECK(end_of(killed) == "signal 9");
  CHECK_THROWS_AS(ServerProcess("/no/such/program", {}, log), CommandError);
}

TEST_CASE("no server outlives its owner, not even one that ignores SIGTERM") {
  const TemporaryFolder folder;
  pid_t pid = 0;
  {
    const ServerProcess stubborn("/bin/sh", {"-c", "trap '' TERM; echo ready; while :; do sleep 1; done"},
                                 folder.path() / "log");
    pid = stubborn.pid();
    for (int i = 0; i < 2000 && read_file(folder.path() / "log").empty(); ++i) std::this_thread::sleep_for(5ms);
  }
  CHECK(::kill(pid, 0) != 0);
}
