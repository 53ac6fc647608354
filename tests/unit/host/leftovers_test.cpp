#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "host/libvirt_host.hpp"
#include "host/processes.hpp"
#include "host/registered_folder.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

namespace {

namespace fs = std::filesystem;

struct State {
  TemporaryFolder folder;
  Folders folders{folder.path() / "state", folder.path() / "cache"};
  fs::path base = folder.path() / "base";

  /// What a killed swaprig leaves: its folder and its registration, and nobody who holds the lock.
  Registration leave(const std::string& id) const {
    const Registration registration{id, base / ("swaprig-" + id), 999999, 1, boot_id()};
    fs::create_directories(registration.folder / "lib");
    std::ofstream(registration.folder / "swaprig-owner") << id << "\n";
    write(registration);
    return registration;
  }
  void write(const Registration& registration) const {
    fs::create_directories(registrations(folders));
    std::ofstream(registrations(folders) / (registration.id + ".json")) << to_json(registration);
  }
  bool is_registered(const std::string& id) const { return fs::exists(registrations(folders) / (id + ".json")); }
};

/// A stopped shell that looks like QEMU; the test's own child.
class FakeQemu {
 public:
  FakeQemu(const std::string& name, const fs::path& root) {
    const std::string option = "guest=" + name + ",debug-threads=on";
    const std::string file = (root / "lib" / "key").string();
    m_pid = ::fork();
    if (m_pid == 0) {
      ::execl("/bin/sh", "qemu-system-x86_64", "-c", "kill -STOP $$; :", "-name", option.c_str(), "-object",
              file.c_str(), nullptr);
      ::_exit(127);
    }
    wait_for_exec(option);
  }
  ~FakeQemu() {
    if (m_pid > 0) ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
  }
  FakeQemu(const FakeQemu&) = delete;
  FakeQemu& operator=(const FakeQemu&) = delete;

  bool lives() const { return m_pid > 0 && ::kill(m_pid, 0) == 0; }

 private:
  /// Until it shows its arguments and has stopped itself.
  void wait_for_exec(const std::string& option) const {
    REQUIRE(::waitpid(m_pid, nullptr, WUNTRACED) == m_pid);
    const auto is_it = [&](const Process& process) {
      return process.pid == m_pid && process.arguments.size() > 4 && process.arguments[4] == option;
    };
    REQUIRE(find_processes(is_it).size() == 1);
  }

  pid_t m_pid = -1;
};

}  // namespace

TEST_CASE("a registration comes back from its JSON; anything else is none") {
  const Registration registration{"abc123", "/run/swaprig/swaprig-abc123", 42, 4711, "boot"};
  CHECK(parse_registration(to_json(registration)) == registration);
  for (const char* text : {"", "{}", "[1]", "{\"id\": 3}"}) CHECK_FALSE(parse_registration(text).has_value());
}

TEST_CASE("a registered folder goes with its owner, registration and all") {
  const State state;
  std::string id;
  fs::path path;
  {
    const RegisteredFolder folder(state.folders, state.base, 0700);
    id = folder.id();
    path = folder.path();
    CHECK(fs::is_directory(path));
    CHECK(state.is_registered(id));
    fs::create_directories(path / "deep" / "down");
    CHECK(clean_leftovers(state.folders).empty());  // its owner lives
    CHECK(fs::is_directory(path));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK(fs::is_empty(registrations(state.folders)));
}

TEST_CASE("what a killed swaprig left is removed, and said") {
  const State state;
  const auto left = state.leave("aaaaaa");
  const auto done = clean_leftovers(state.folders);
  REQUIRE(done.size() == 1);
  CHECK(done[0].find(left.folder.string()) != std::string::npos);
  CHECK_FALSE(fs::exists(left.folder));
  CHECK(fs::is_empty(registrations(state.folders)));
  CHECK(clean_leftovers(state.folders).empty());
}

TEST_CASE("a guest of a killed swaprig is ended; others are not touched") {
  const State state;
  const auto left = state.leave("bbbbbb");
  const FakeQemu ours("swaprig-x", left.folder);
  const FakeQemu elsewhere("swaprig-x", state.base / "swaprig-cccccc");
  const FakeQemu foreign("somebody", left.folder);
  const auto done = clean_leftovers(state.folders);
  CHECK(done.size() == 2);
  CHECK_FALSE(ours.lives());
  CHECK(elsewhere.lives());
  CHECK(foreign.lives());
  CHECK_FALSE(fs::exists(left.folder));
}

TEST_CASE("a process older than the swaprig that is gone is not its guest") {
  const State state;
  auto left = state.leave("dddddd");
  const FakeQemu older("swaprig-x", left.folder);
  left.started = own_process().started + 1000000;
  state.write(left);
  clean_leftovers(state.folders);
  CHECK(older.lives());
}

TEST_CASE("after a reboot nothing is killed, only the folder goes") {
  const State state;
  auto left = state.leave("eeeeee");
  left.boot_id = "another boot";
  state.write(left);
  const FakeQemu process("swaprig-x", left.folder);
  CHECK(clean_leftovers(state.folders).size() == 1);
  CHECK(process.lives());
  CHECK_FALSE(fs::exists(left.folder));
}

TEST_CASE("a registration that points to something else leads to no harm") {
  const State state;
  const fs::path precious = state.base / "precious";
  fs::create_directories(precious / "inside");

  SECTION("a folder with another name") {
    Registration wrong = state.leave("ffffff");
    wrong.folder = precious;
    state.write(wrong);
  }
  SECTION("a folder without our marker") {
    const auto wrong = state.leave("gggggg");
    fs::remove(wrong.folder / "swaprig-owner");
  }
  SECTION("a link with the right name") {
    const auto wrong = state.leave("hhhhhh");
    fs::remove_all(wrong.folder);
    fs::create_directory_symlink(precious, wrong.folder);
    std::ofstream(precious / "swaprig-owner") << "hhhhhh\n";
  }
  SECTION("a file that is no registration") {
    fs::create_directories(registrations(state.folders));
    std::ofstream(registrations(state.folders) / "iiiiii.json") << "{\"id\": \"iiiiii\"}";
  }
  const auto done = clean_leftovers(state.folders);
  REQUIRE(done.size() == 1);
  CHECK(done[0].starts_with("left alone: "));
  CHECK(fs::is_directory(precious / "inside"));
}

TEST_CASE("no registrations, nothing to do") {
  const State state;
  CHECK(clean_leftovers(state.folders).empty());
}
