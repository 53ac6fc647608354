#include "host/preflight.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "host/folder_state.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

namespace {

/// Knows the programs in `installed`; QEMU says its version.
struct FakeRunner final : CommandRunner {
  std::vector<std::string> installed;
  std::vector<Command> commands;

  CommandResult run(const Command& command) override {
    commands.push_back(command);
    CommandResult result;
    if (command.program == "qemu-system-x86_64") result.out = "QEMU emulator version 8.1.2 (Debian)\n";
    if (command.program == "systemd-detect-virt") result.out = "kvm\n";
    return result;
  }

  std::optional<std::filesystem::path> find(const std::string& program) override {
    const bool known = std::find(installed.begin(), installed.end(), program) != installed.end();
    return known ? std::optional<std::filesystem::path>("/usr/bin/" + program) : std::nullopt;
  }
};

const Finding* find(const std::vector<Finding>& findings, const std::string& what) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.what == what; });
  return found == findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("examining the host covers everything that doctor shows") {
  const TemporaryFolder folder;
  const Folders folders{folder.path() / "state", folder.path() / "cache"};
  FakeRunner runner;
  runner.installed = {"qemu-system-x86_64", "mmdebstrap"};
  const auto findings = examine_host(runner, folders, true);
  for (const char* what : {"KVM", "QEMU", "libvirt", "mmdebstrap", "mke2fs", "sfdisk", "gnuplot", "memory", "host swap",
                           "state folder", "cache folder", "governor", "load", "KSM", "huge pages"}) {
    INFO(what);
    CHECK(find(findings, what) != nullptr);
  }
  CHECK(find(findings, "QEMU")->text == "8.1.2");
  CHECK(find(findings, "mmdebstrap")->fitness == Fitness::ok);
  CHECK(find(findings, "sfdisk")->fitness == Fitness::unfit);
  CHECK(std::filesystem::is_directory(folders.state));
}

TEST_CASE("the cheap check starts no program") {
  const TemporaryFolder folder;
  FakeRunner runner;
  const auto findings = examine_host(runner, {folder.path() / "state", folder.path() / "cache"}, false);
  CHECK(runner.commands.empty());
  CHECK(find(findings, "QEMU") == nullptr);
  CHECK(find(findings, "memory") != nullptr);
}

TEST_CASE("facts of the host are there and not empty") {
  FakeRunner runner;
  runner.installed = {"qemu-system-x86_64", "systemd-detect-virt"};
  const auto facts = host_facts(runner);
  CHECK(facts.size() == 9);
  for (const auto& [name, value] : facts) {
    INFO(name);
    CHECK_FALSE(value.empty());
  }
  CHECK(std::find(facts.begin(), facts.end(), std::pair<std::string, std::string>("QEMU", "8.1.2")) != facts.end());
  CHECK(std::find(facts.begin(), facts.end(), std::pair<std::string, std::string>("virtualised", "kvm")) !=
        facts.end());
}

TEST_CASE("a folder in memory is no place for drives") {
  const std::filesystem::path memory = "/dev/shm";
  REQUIRE(std::filesystem::is_directory(memory));
  const auto state = look_at_folder(memory);
  CHECK(state.fault.empty());
  CHECK_FALSE(state.direct_fault.empty());
}

TEST_CASE("looking at a folder leaves nothing in it") {
  const TemporaryFolder folder;
  const auto state = look_at_folder(folder.path() / "new");
  CHECK(state.fault.empty());
  CHECK(state.free.count > 0);
  CHECK(std::filesystem::is_empty(folder.path() / "new"));
}

TEST_CASE("a folder that cannot be made or written is said, with the reason") {
  const auto state = look_at_folder("/proc/swaprig");
  CHECK_FALSE(state.fault.empty());
  CHECK_THROWS_AS(require_space("/proc/swaprig", mib(1)), HostError);
}

TEST_CASE("more than the host has is refused with exit code 4") {
  const TemporaryFolder folder;
  CHECK_NOTHROW(require_space(folder.path(), Bytes{1}));
  try {
    require_space(folder.path(), Bytes{std::uint64_t{1} << 62U});
    FAIL("nothing thrown");
  } catch (const HostError& error) {
    CHECK(error.code() == ExitCode::host_not_fit);
  }
  CHECK_THROWS_AS(require_memory(Bytes{std::uint64_t{1} << 62U}, Virtualisation::tcg), HostError);
}
