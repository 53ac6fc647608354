#include "guest/boot_watch.hpp"

#include <fstream>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/fake_clock.hpp"
#include "support/fake_guest_agent.hpp"
#include "support/fake_machine.hpp"

using namespace swaprig;
using namespace swaprig::guest;

namespace {

struct Boot {
  TemporaryFolder folder;
  std::filesystem::path console = folder.path() / "console";
  std::shared_ptr<testing::FakeGuest> guest = std::make_shared<testing::FakeGuest>();
  testing::FakeMachine machine{guest};
  testing::FakeGuestAgent agent;
  testing::FakeClock clock;

  Boot() { agent.is_there = false; }

  void print(const std::string& text) { std::ofstream(console, std::ios::app) << text; }

  BootOutcome wait(const std::function<void()>& keep_waiting = {}) {
    return wait_for_agent(machine, agent, console, clock, std::chrono::minutes(1), keep_waiting);
  }
};

}  // namespace

TEST_CASE("the agent answers") {
  Boot boot;
  boot.agent.is_there = true;
  boot.print("swaprig: init ready\n");
  const auto outcome = boot.wait();
  CHECK(outcome.end == BootEnd::answers);
  CHECK(outcome.console_tail == "swaprig: init ready\n");
}

TEST_CASE("a panic is told by the console, whether QEMU is still there or not") {
  Boot boot;
  boot.print("[    1.2] Kernel panic - not syncing: Attempted to kill init!\r\n[    1.3] ---[ end");
  SECTION("still there") {}
  SECTION("gone") { boot.guest->state = host::MachineState::shut_off; }
  SECTION("told by the machine") { boot.guest->state = host::MachineState::panicked; }
  const auto outcome = boot.wait();
  CHECK(outcome.end == BootEnd::panicked);
  CHECK(outcome.reason == "Kernel panic - not syncing: Attempted to kill init!");
  CHECK(outcome.duration < std::chrono::seconds(5));
}

TEST_CASE("our init says why it gave up") {
  Boot boot;
  boot.print(
      "swaprig: init started\nswaprig: init failed: no drive with serial x\x1b[2J and partition 1\n[ 2.0] reboot: "
      "Power down\n");
  SECTION("QEMU is gone") { boot.guest->state = host::MachineState::shut_off; }
  SECTION("QEMU is going") {}
  const auto outcome = boot.wait();
  CHECK(outcome.end == BootEnd::exited);
  CHECK(outcome.reason.starts_with("no drive with serial x"));
  CHECK(outcome.reason.find('\x1b') == std::string::npos);
}

TEST_CASE("QEMU ends without a word") {
  Boot boot;
  boot.guest->state = host::MachineState::shut_off;
  const auto outcome = boot.wait();
  CHECK(outcome.end == BootEnd::exited);
  CHECK(outcome.reason.empty());
  CHECK(outcome.console_tail.empty());
}

TEST_CASE("silence ends at the bound, with the end of the console") {
  Boot boot;
  boot.print(std::string(100'000, 'x') + "last words");
  int asked = 0;
  const auto outcome = boot.wait([&] { ++asked; });
  CHECK(outcome.end == BootEnd::silent);
  CHECK(outcome.duration >= std::chrono::minutes(1));
  CHECK(outcome.duration < std::chrono::seconds(61));
  CHECK(outcome.console_tail.size() == 64U << 10U);
  CHECK(outcome.console_tail.ends_with("last words"));
  CHECK(asked > 100);
}

TEST_CASE("waiting can be given up") {
  Boot boot;
  CHECK_THROWS_AS(boot.wait([] { throw std::runtime_error("interrupted"); }), std::runtime_error);
}
