#include "host/processes.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "host/libvirt_machine.hpp"
#include "host/orphan_reaper.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

TEST_CASE("what stands behind the program's name is found whatever the name") {
  const std::string rest = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
  const ProcessStat wanted{'S', 1, 3, 4711};
  CHECK(parse_stat("42 (sleep)" + rest) == wanted);
  CHECK(parse_stat("42 (a (b) c) d)" + rest) == wanted);
  CHECK(parse_stat("42 (sleep) S 1 2") == ProcessStat{});
  CHECK(parse_stat("42 (sleep) S x 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711") == ProcessStat{});
  CHECK(parse_stat("") == ProcessStat{});
}

TEST_CASE("an orphan that came to us is told from a child that somebody waits for") {
  constexpr int k_self = 100;
  constexpr int k_session = 90;
  CHECK(is_ended_orphan(200, {'Z', k_self, 199, 1}, k_self, k_session));
  CHECK_FALSE(is_ended_orphan(200, {'S', k_self, 199, 1}, k_self, k_session));        // it lives
  CHECK_FALSE(is_ended_orphan(200, {'Z', 1, 199, 1}, k_self, k_session));             // not our child
  CHECK_FALSE(is_ended_orphan(200, {'Z', k_self, k_session, 1}, k_self, k_session));  // forked by us
  CHECK_FALSE(is_ended_orphan(200, {'Z', k_self, 200, 1}, k_self, k_session));        // forked by us, with setsid
}

TEST_CASE("the reaper takes orphans, and leaves children to who waits for them") {
  const OrphanReaper reaper;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // a daemon's way: a session, a second fork, and the first one ends
    ::setsid();
    if (::fork() == 0) ::pause();
    ::_exit(7);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);

  const auto orphans = [&] {
    std::vector<int> pids;
    for (const auto& [pid, stat] : children_of(::getpid())) {
      if (stat.session == child) pids.push_back(pid);
    }
    return pids;
  };
  REQUIRE(orphans().size() == 1);
  ::kill(orphans()[0], SIGKILL);
  for (int i = 0; i < 500 && !orphans().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(orphans().empty());
}

TEST_CASE("this process finds itself") {
  const Process self = own_process();
  CHECK(self.pid == ::getpid());
  CHECK(self.started > 0);
  const auto found = find_processes([&](const Process& process) { return process.pid == self.pid; });
  REQUIRE(found.size() == 1);
  CHECK(found[0].started == self.started);
  CHECK(found[0].arguments == self.arguments);
  CHECK(boot_id().size() == 36);
}

TEST_CASE("a guest of ours is known by its name and the folder it uses") {
  Process process{7,
                  1,
                  {"qemu", "-name", "guest=swaprig-x,debug-threads=on", "-uuid", "u-1", "-object",
                   "{\"file\":\"/run/swaprig/swaprig-abc123/lib/key\"}"}};
  CHECK(is_guest_under(process, "/run/swaprig/swaprig-abc123"));
  CHECK_FALSE(is_guest_under(process, "/run/swaprig/swaprig-abc12"));
  CHECK_FALSE(is_guest_under(process, "/run/swaprig/swaprig-other1"));
  CHECK(is_guest(process, "swaprig-x", "u-1"));
  CHECK_FALSE(is_guest(process, "swaprig-x", "u-2"));
  CHECK_FALSE(is_guest(process, "swaprig-", "u-1"));
  process.arguments[2] = "guest=other-x";
  CHECK_FALSE(is_guest_under(process, "/run/swaprig/swaprig-abc123"));
  CHECK_FALSE(
      is_guest_under({7, 1, {"vi", "/run/swaprig/swaprig-abc123/etc/qemu.conf"}}, "/run/swaprig/swaprig-abc123"));
  CHECK_FALSE(is_guest_under({7, 1, {"qemu", "-name"}}, "/"));
}

TEST_CASE("a handle kills its process and no other") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const auto found = find_processes([&](const Process& process) { return process.pid == child; });
  REQUIRE(found.size() == 1);

  Process other = found[0];  // the same pid at another time
  ++other.started;
  CHECK(ProcessHandle(other).kill_and_wait(std::chrono::seconds(5)));
  const ProcessHandle handle(found[0]);
  CHECK_FALSE(handle.ended());

  CHECK(handle.kill_and_wait(std::chrono::seconds(5)));
  CHECK(handle.ended());
  CHECK(::waitpid(child, nullptr, WNOHANG) == -1);  // it was reaped
  CHECK(handle.kill_and_wait(std::chrono::seconds(5)));
  CHECK(ProcessHandle(found[0]).ended());
}

TEST_CASE("libvirt's states come down to ours") {
  CHECK(machine_state(VIR_DOMAIN_RUNNING, 0) == MachineState::running);
  CHECK(machine_state(VIR_DOMAIN_BLOCKED, 0) == MachineState::running);
  CHECK(machine_state(VIR_DOMAIN_SHUTDOWN, 0) == MachineState::running);
  CHECK(machine_state(VIR_DOMAIN_PAUSED, VIR_DOMAIN_PAUSED_IOERROR) == MachineState::paused);
  CHECK(machine_state(VIR_DOMAIN_PAUSED, VIR_DOMAIN_PAUSED_CRASHED) == MachineState::panicked);
  CHECK(machine_state(VIR_DOMAIN_CRASHED, VIR_DOMAIN_CRASHED_PANICKED) == MachineState::panicked);
  CHECK(machine_state(VIR_DOMAIN_SHUTOFF, VIR_DOMAIN_SHUTOFF_DESTROYED) == MachineState::shut_off);
  CHECK(machine_state(VIR_DOMAIN_SHUTOFF, VIR_DOMAIN_SHUTOFF_CRASHED) == MachineState::panicked);
}

TEST_CASE("an ending keeps its first reason") {
  Ending ending;
  CHECK(ending.reason().empty());
  ending.record(VIR_DOMAIN_EVENT_RESUMED, 0);
  CHECK(ending.reason().empty());
  ending.record(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_FAILED);
  ending.record(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_DESTROYED);
  CHECK(ending.reason() == "QEMU ended by itself or was killed");
  CHECK_FALSE(ending.panicked());
  Ending panic;
  panic.record(VIR_DOMAIN_EVENT_CRASHED, VIR_DOMAIN_EVENT_CRASHED_PANICKED);
  CHECK(panic.panicked());
}
