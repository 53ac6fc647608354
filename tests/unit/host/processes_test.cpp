#include "host/processes.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "host/libvirt_machine.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

TEST_CASE("the start time is found behind any program name") {
  const std::string rest = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
  CHECK(start_time("42 (sleep)" + rest) == 4711);
  CHECK(start_time("42 (a (b) c) d)" + rest) == 4711);
  CHECK(start_time("42 (sleep) S 1 2") == 0);
  CHECK(start_time("") == 0);
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
