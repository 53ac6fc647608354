#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/command.hpp"
#include "base/text.hpp"
#include "host/acceleration.hpp"
#include "host/kvm_proof.hpp"
#include "tiny_guest.hpp"

using namespace swaprig;
using namespace swaprig::host;
using testing::comes_true;
using testing::tiny_guest;
using testing::TinyEnd;

namespace {

/// libvirt opens the embedded driver once in a process, so all tests share it.
struct Embedded {
  TemporaryFolder folder;
  Folders folders{folder.path() / "state", folder.path() / "cache"};
  std::unique_ptr<MachineHost> machines = open_libvirt("", folders);
};

Embedded& embedded() {
  static Embedded shared;
  return shared;
}

drive::Attachment make_drive(const std::filesystem::path& path, const std::string& serial) {
  std::ofstream(path).close();
  std::filesystem::resize_file(path, 1U << 20U);
  drive::Attachment drive;
  drive.drive = "drive " + serial;
  drive.path = path;
  drive.serial = serial;
  return drive;
}

bool process_lives(int pid) { return ::kill(pid, 0) == 0; }

}  // namespace

TEST_CASE("a guest runs, is seen, and is gone at once when it is destroyed") {
  auto& [folder, folders, machines] = embedded();
  auto spec = tiny_guest(folder.path(), *machines, TinyEnd::halt);
  spec.drives = {make_drive(folder.path() / "a, b.raw", "sr-a"), make_drive(folder.path() / "ü.raw", "sr-b"),
                 make_drive(folder.path() / "c.raw", "sr-c")};
  spec.drives[1].bus = drive::Attachment::Bus::scsi;
  spec.drives[1].rotation_rate = 5400;
  spec.drives[2].bus = drive::Attachment::Bus::sata;
  const auto machine = machines->start(spec);
  CHECK(machine->state() == MachineState::running);
  CHECK(comes_true([&] { return read_tail(spec.console, kib(4)) == "swaprig: init ready\n"; }));

  const int pid = machine->pid();
  REQUIRE(pid > 0);
  CHECK(read_file("/proc/" + std::to_string(pid) + "/cmdline").find("guest=" + spec.name) != std::string::npos);
  CHECK(std::filesystem::is_socket(spec.probe_socket));

  const auto counters = machine->block_counters();
  REQUIRE(counters.size() == 3);
  CHECK(counters[0].drive == "drive sr-a");
  CHECK(counters[1].drive == "drive sr-b");
  CHECK(counters[2].drive == "drive sr-c");
  CHECK(counters[1].failed_reads == 0);

  const auto blocks = nlohmann::json::parse(machine->monitor(R"({"execute":"query-block"})")).at("return");
  REQUIRE(blocks.size() == 3);
  for (const auto& block : blocks) CHECK(block.at("inserted").at("cache").at("direct") == true);
  CHECK_THROWS_AS(machine->monitor(R"({"execute":"no-such-command"})"), LibvirtError);
  CHECK_THROWS_AS(machine->agent(R"({"execute":"guest-ping"})", std::chrono::seconds(1)), LibvirtError);

  machine->destroy();
  CHECK_FALSE(process_lives(pid));
  CHECK(machine->state() == MachineState::shut_off);
  CHECK_NOTHROW(machine->destroy());
}

TEST_CASE("a machine that goes out of scope ends its QEMU, also in an exception") {
  auto& [folder, folders, machines] = embedded();
  int pid = 0;
  try {
    const auto machine = machines->start(tiny_guest(folder.path(), *machines, TinyEnd::halt));
    pid = machine->pid();
    throw std::runtime_error("something went wrong");
  } catch (const std::runtime_error&) {
  }
  REQUIRE(pid > 0);
  CHECK_FALSE(process_lives(pid));
}

TEST_CASE("a guest that reboots, as after a panic, is shut off; asking it then says that it is gone") {
  auto& [folder, folders, machines] = embedded();
  const auto machine = machines->start(tiny_guest(folder.path(), *machines, TinyEnd::reboot));
  CHECK(comes_true([&] { return machine->state() == MachineState::shut_off; }));
  try {
    machine->monitor(R"({"execute":"query-status"})");
    FAIL("nothing thrown");
  } catch (const LibvirtError& error) {
    CHECK(std::string(error.what()).find("the guest is gone") != std::string::npos);
  }
}

TEST_CASE("QEMU that is killed from outside is noticed") {
  auto& [folder, folders, machines] = embedded();
  const auto machine = machines->start(tiny_guest(folder.path(), *machines, TinyEnd::halt));
  REQUIRE(machine->pid() > 0);
  ::kill(machine->pid(), SIGKILL);
  CHECK(comes_true([&] { return machine->state() == MachineState::shut_off; }));
  CHECK_NOTHROW(machine->destroy());
}

TEST_CASE("what QEMU cannot start is said in its own words, and the next guest starts all the same") {
  auto& [folder, folders, machines] = embedded();
  auto spec = tiny_guest(folder.path(), *machines, TinyEnd::halt);
  spec.kernel = folder.path() / "missing";
  try {
    machines->start(spec);
    FAIL("nothing thrown");
  } catch (const LibvirtError& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find("missing") != std::string::npos);
    CHECK(std::string(error.what()).find(spec.name) != std::string::npos);
  }
  CHECK_NOTHROW(machines->start(tiny_guest(folder.path(), *machines, TinyEnd::halt)));
}

TEST_CASE("two guests of one name cannot run at a time") {
  auto& [folder, folders, machines] = embedded();
  const auto spec = tiny_guest(folder.path(), *machines, TinyEnd::halt);
  const auto first = machines->start(spec);
  CHECK_THROWS_AS(machines->start(spec), LibvirtError);
  CHECK(first->state() == MachineState::running);
}

TEST_CASE("the versions are QEMU's and libvirt's own") {
  const auto versions = embedded().machines->versions();
  SystemCommandRunner runner;
  Command command;
  command.program = "qemu-system-x86_64";
  command.arguments = {"--version"};
  const auto words = split_words(versions);
  REQUIRE(words.size() == 4);
  const auto version = words[1].substr(0, words[1].size() - 1);
  CHECK(run_checked(runner, command).find("version " + version) != std::string::npos);
}

TEST_CASE("the trial of KVM ends with an answer, whatever this host can do") {
  auto& [folder, folders, machines] = embedded();
  SystemClock clock;
  const auto answer = try_kvm(tiny_guest(folder.path(), *machines, TinyEnd::halt), *machines, clock);
  CHECK(answer.why.starts_with("KVM: "));
  if (!look_at_kvm().device) CHECK(answer.use == Virtualisation::tcg);
}
