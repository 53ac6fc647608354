#include "base/text.hpp"
#include "host/libvirt_host.hpp"
#include "host/libvirt_machine.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

namespace {

/// A guest of libvirt's test driver, which has no QEMU.
struct TestGuest {
  TestGuest() {
    virSetErrorFunc(nullptr, [](void*, virErrorPtr) {});
    connection.reset(check(virConnectOpen("test:///default"), "opening the test driver"));
    DomainHandle domain(check(virDomainCreateXML(connection.get(),
                                                 "<domain type='test'><name>swaprig-test</name><memory>8192</memory>"
                                                 "<os><type>hvm</type></os></domain>",
                                                 0),
                              "starting a test guest"));
    DomainSpec spec;
    spec.name = "swaprig-test";
    machine.emplace(connection.get(), std::move(domain), spec);
  }

  DomainHandle again() const { return DomainHandle(virDomainLookupByName(connection.get(), "swaprig-test")); }

  ConnectionHandle connection;
  std::optional<RunningMachine> machine;
};

}  // namespace

TEST_CASE("a machine follows its domain through pausing to its end") {
  TestGuest guest;
  CHECK(guest.machine->state() == MachineState::running);
  CHECK(guest.machine->pid() == 0);  // there is no QEMU
  REQUIRE(virDomainSuspend(guest.again().get()) == 0);
  CHECK(guest.machine->state() == MachineState::paused);
  REQUIRE(virDomainResume(guest.again().get()) == 0);
  guest.machine->destroy();
  CHECK(guest.machine->state() == MachineState::shut_off);
  CHECK_NOTHROW(guest.machine->destroy());
  CHECK(guest.again() == nullptr);
}

TEST_CASE("a machine that goes out of scope destroys its domain") {
  TestGuest guest;
  guest.machine.reset();
  CHECK(guest.again() == nullptr);
}

TEST_CASE("libvirt's own words and code come with the error") {
  TestGuest guest;
  try {
    guest.machine->monitor("{}");
    FAIL("nothing thrown");
  } catch (const LibvirtError& error) {
    CHECK(error.libvirt_code() == VIR_ERR_NO_SUPPORT);
    CHECK(std::string(error.what()).find("swaprig-test") != std::string::npos);
    CHECK(std::string(error.what()).find("not supported") != std::string::npos);
    CHECK(error.code() == ExitCode::host_not_fit);
  }
}

TEST_CASE("our XML starts a guest through a local URI, and nothing of it is left behind") {
  const TemporaryFolder folder;
  const Folders folders{folder.path() / "state", folder.path() / "cache"};
  std::filesystem::path sockets;
  {
    const auto machines = open_libvirt("test:///default", folders);
    CHECK(machines->versions().find("libvirt ") != std::string::npos);
    sockets = machines->socket_folder();
    CHECK(std::filesystem::is_directory(sockets));
    CHECK(sockets.string().size() <= 60);
    DomainSpec spec;
    spec.name = domain_name("Größe <1>\n");
    spec.memory = mib(64);
    spec.kernel = "/vmlinux";
    spec.kernel_arguments = "quiet <&>";
    spec.console = folder.path() / "console";
    spec.probe_socket = sockets / "probe";
    const auto machine = machines->start(spec);
    CHECK(machine->state() == MachineState::running);
    CHECK_THROWS_AS(machine->block_counters(), LibvirtError);
    machine->destroy();
    CHECK(machine->state() == MachineState::shut_off);
  }
  CHECK_FALSE(std::filesystem::exists(sockets));
  CHECK(std::filesystem::is_empty(folders.state / "embed"));
}

TEST_CASE("a connection that is not there is an error of the host, with libvirt's words") {
  const TemporaryFolder folder;
  const Folders folders{folder.path() / "state", folder.path() / "cache"};
  CHECK_THROWS_AS(open_libvirt("test:///no/such/file.xml", folders), LibvirtError);
  CHECK_THROWS_AS(open_libvirt("qemu+ssh://elsewhere/system", folders), UsageError);
  CHECK(std::filesystem::is_empty(folders.state / "embed"));
}
