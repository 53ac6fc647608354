#include "host/acceleration.hpp"

#include <fstream>

#include "host/kvm_proof.hpp"
#include "support/catch.hpp"
#include "support/fake_machine.hpp"
#include "support/words.hpp"

using namespace swaprig;
using namespace swaprig::host;
using testing::FakeMachineHost;
using testing::mentions;

namespace {

/// Time goes on only by sleeping.
struct FakeClock final : Clock {
  std::chrono::nanoseconds now{0};

  UtcTime utc() const override { return {}; }
  std::chrono::nanoseconds monotonic() const override { return now; }
  void sleep(std::chrono::nanoseconds duration) override { now += duration; }
};

struct Host {
  TemporaryFolder folder;
  Folders folders{folder.path() / "state", folder.path() / "cache"};
  FakeMachineHost machines;
  FakeClock clock;
  KvmHost kvm{true, "", {"boot-1", "6.1.0", "qemu 1", "EPYC"}};
  DomainSpec trial;

  Host() { trial.console = folder.path() / "console"; }

  void console_says(const std::string& text) {
    machines.on_start = [text](const DomainSpec& spec) { std::ofstream(spec.console) << text; };
  }
  Acceleration decide(spec::Accel wish) { return decide_acceleration(wish, kvm, trial, machines, clock, folders); }
};

}  // namespace

TEST_CASE("tcg that is asked for boots nothing") {
  Host host;
  CHECK(host.decide(spec::Accel::tcg).use == Virtualisation::tcg);
  CHECK(host.machines.started.empty());
}

TEST_CASE("auto without the device is TCG, and says why") {
  Host host;
  host.kvm.device = false;
  host.kvm.why_not = "no /dev/kvm on this host";
  const auto answer = host.decide(spec::Accel::automatic);
  CHECK(answer.use == Virtualisation::tcg);
  CHECK(answer.why == "no /dev/kvm on this host");
  CHECK(host.machines.started.empty());
  CHECK_THROWS_AS(host.decide(spec::Accel::kvm), HostError);
}

TEST_CASE("a guest that reaches its init proves KVM, once for a host, kernel and QEMU") {
  Host host;
  host.console_says("[    0.1] Linux\nswaprig: init ready\n");
  CHECK_FALSE(recall_acceleration(host.kvm, host.folders).has_value());
  const auto answer = host.decide(spec::Accel::automatic);
  CHECK(answer.use == Virtualisation::kvm);
  REQUIRE(host.machines.started.size() == 1);
  CHECK(host.machines.started[0].virtualisation == Virtualisation::kvm);
  CHECK(host.machines.guest->destroyed > 0);

  CHECK(host.decide(spec::Accel::automatic).use == Virtualisation::kvm);
  CHECK(host.decide(spec::Accel::kvm).use == Virtualisation::kvm);
  CHECK(host.machines.started.size() == 1);
  CHECK(recall_acceleration(host.kvm, host.folders)->why == answer.why);

  for (std::string KvmKey::*field : {&KvmKey::boot, &KvmKey::kernel, &KvmKey::qemu, &KvmKey::cpu}) {
    auto other = host.kvm;
    other.key.*field += " changed";
    CHECK_FALSE(recall_acceleration(other, host.folders).has_value());
  }
}

TEST_CASE("a silent guest is given up after the bound, and the answer remembered") {
  Host host;
  const auto answer = host.decide(spec::Accel::automatic);
  CHECK(answer.use == Virtualisation::tcg);
  CHECK(mentions(answer.why, "within 20 s"));
  CHECK(mentions(answer.why, "silent"));
  CHECK(host.clock.now >= std::chrono::seconds(20));
  CHECK(host.clock.now < std::chrono::seconds(21));
  CHECK(host.machines.guest->destroyed > 0);
  host.decide(spec::Accel::automatic);
  CHECK(host.machines.started.size() == 1);
}

TEST_CASE("an earlier boot's console proves nothing") {
  Host host;
  std::ofstream(host.trial.console) << "swaprig: init ready\n";
  CHECK(host.decide(spec::Accel::automatic).use == Virtualisation::tcg);
}

TEST_CASE("a guest that ends early is told from a silent one, with its last words escaped") {
  Host host;
  host.console_says("Booting\n\x1b[31mKernel panic\n");
  host.machines.guest->state = MachineState::shut_off;
  const auto answer = host.decide(spec::Accel::automatic);
  CHECK(answer.use == Virtualisation::tcg);
  CHECK(mentions(answer.why, "stopped after"));
  CHECK(mentions(answer.why, "Kernel panic"));
  CHECK_FALSE(mentions(answer.why, "\x1b"));
}

TEST_CASE("QEMU that does not start under KVM is an answer too") {
  Host host;
  host.machines.on_start = [](const DomainSpec&) {
    throw LibvirtError("starting guest", "error: failed to set MSR", 1);
  };
  const auto answer = host.decide(spec::Accel::automatic);
  CHECK(answer.use == Virtualisation::tcg);
  CHECK(mentions(answer.why, "failed to set MSR"));
  CHECK_THROWS_AS(host.decide(spec::Accel::kvm), HostError);
}

TEST_CASE("who insists on KVM gets another try, and an error that says what to do") {
  Host host;
  host.decide(spec::Accel::automatic);
  REQUIRE(host.machines.started.size() == 1);
  try {
    host.decide(spec::Accel::kvm);
    FAIL("nothing thrown");
  } catch (const HostError& error) {
    CHECK(mentions(error.what(), "accel = \"auto\""));
  }
  CHECK(host.machines.started.size() == 2);
  host.console_says("swaprig: init ready\n");
  CHECK(host.decide(spec::Accel::kvm).use == Virtualisation::kvm);
  CHECK(recall_acceleration(host.kvm, host.folders)->use == Virtualisation::kvm);
}

TEST_CASE("a damaged memory is no answer") {
  Host host;
  host.decide(spec::Accel::automatic);
  const auto file = host.folders.state / "acceleration.json";
  for (const char* text : {"", "{", "[]", "{\"kvm\": \"yes\"}"}) {
    std::ofstream(file, std::ios::trunc) << text;
    CHECK_FALSE(recall_acceleration(host.kvm, host.folders).has_value());
  }
}
