// Builds a small image with the real mmdebstrap and looks at it with debugfs. Arguments: root, or user.
// As root, `user` runs itself again as SWAPRIG_TEST_USER. Ends with 77 and a reason when this machine cannot do it.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "base/files.hpp"
#include "image/block_map.hpp"
#include "image/image_store.hpp"

using namespace swaprig;

namespace {

namespace fs = std::filesystem;

constexpr int k_skipped = 77;
constexpr const char* k_definition = R"(schema = 1
suite = "bookworm"
modules = ["dm-raid"]
setup = ["test -e /proc/self/stat", "id -u > /etc/setup-uid; chown 33:33 /usr/local/bin/hello"]

[[files]]
to = "/root/secret"
text = "s\n"
mode = "0600"

[[files]]
to = "/usr/local/bin/hello"
text = "#!/bin/sh\necho hello\n"
mode = "0755"
)";

int skip(const std::string& why) {
  std::cout << "skipped: " << why << '\n';
  return k_skipped;
}

class Check {
 public:
  Check(CommandRunner& commands, fs::path disk, Bytes offset)
      : m_commands(commands), m_disk(std::move(disk)), m_offset(offset) {}

  void file(const std::string& path, const std::string& mode, const std::string& user) {
    const auto words = ask("stat " + path);
    const bool good = words.find("Mode:  " + mode + " ") != std::string::npos &&
                      words.find("User: " + user + " ") != std::string::npos;
    if (!good) fail(path + " is not " + mode + " of user " + user + ":\n" + words);
  }

  void content(const std::string& path, const std::string& text) {
    if (const auto found = ask("cat " + path); found != text) fail(path + " holds '" + found + "'");
  }

  void whole() {
    const TemporaryFolder folder;
    const auto partition = folder.path() / "partition";
    run_checked(m_commands, {.program = "dd",
                             .arguments = {"if=" + m_disk.string(), "of=" + partition.string(), "bs=1M", "skip=1",
                                           "count=400", "conv=sparse", "status=none"}});
    run_checked(m_commands, {.program = "e2fsck", .arguments = {"-fn", partition.string()}});
  }

  int failures() const { return m_failures; }
  void fail(const std::string& what) {
    std::cout << "FAILED: " << what << '\n';
    ++m_failures;
  }

 private:
  std::string ask(const std::string& request) {
    const auto disk = m_disk.string() + "?offset=" + std::to_string(m_offset.count);
    return run_checked(m_commands, {.program = "debugfs", .arguments = {"-R", request, disk}});
  }

  CommandRunner& m_commands;
  fs::path m_disk;
  Bytes m_offset;
  int m_failures = 0;
};

int build_and_look() {
  const TemporaryFolder folder;
  const auto definitions = folder.path() / "images";
  make_folders(definitions);
  std::ofstream(definitions / "owners.toml") << k_definition;
  SystemCommandRunner commands;
  SystemClock clock;
  image::ImageStore store(definitions, folder.path() / "cache", commands, clock);
  const auto tell = [](const std::string& line) { std::cout << line << std::endl; };
  const auto built = store.ensure("owners", tell);

  const auto disk = folder.path() / "disk";
  std::ofstream(disk).close();
  fs::resize_file(disk, mib(402).count);
  const auto report = store.fill(built, {disk, mib(1), mib(400)});

  Check check(commands, disk, mib(1));
  check.whole();
  check.file("/", "0755", "    0");
  check.file("/root", "0700", "    0");
  check.file("/root/secret", "0600", "    0");
  check.content("/root/secret", "s\n");
  check.file("/usr/local/bin/hello", "0755", "   33");
  check.file("/usr/bin/su", "04755", "    0");
  check.file("/tmp", "01777", "    0");
  check.file("/usr/lib/modules/" + built.kernel_release + "/modules.dep", "0644", "    0");
  check.content("/etc/setup-uid", "0\n");
  check.content("/etc/hostname", "swaprig\n");
  if (!read_file(built.kernel, gib(1))
           .starts_with("\x7f"
                        "ELF"))
    check.fail("the kernel is no ELF file");
  if (read_file(built.initrd).find("/modules/ext4.ko\n") == std::string::npos) check.fail("no ext4 in the initrd");
  if (report.data.empty()) check.fail("no data was reported");
  if (fs::exists(built.folder / "work")) check.fail("the build's work folder is still there");
  std::cout << (check.failures() == 0 ? "all as expected\n" : "see above\n");
  return check.failures() == 0 ? 0 : 1;
}

int run_again_as(const std::string& user, const char* program) {
  SystemCommandRunner commands;
  const Command again{.program = "runuser",
                      .arguments = {"-u", user, "--", "env", "TMPDIR=/var/tmp", "HOME=/", program, "user"},
                      .timeout = std::chrono::minutes(25)};
  const auto result = commands.run(again);
  std::cout << result.out << result.err;
  return result.status;
}

bool can_map_ids(CommandRunner& commands) {
  if (!commands.find("newuidmap")) return false;
  return commands.run({.program = "unshare", .arguments = {"--map-root-user", "--map-auto", "true"}}).status == 0;
}

int run(const std::string& mode, const char* program) {
  const bool root = ::geteuid() == 0;
  if (mode == "root") return root ? build_and_look() : skip("this needs root");
  if (!root) {
    SystemCommandRunner commands;
    if (!can_map_ids(commands))
      return skip("no ids for this user in /etc/subuid and /etc/subgid, or no uidmap package");
    return build_and_look();
  }
  const char* user = std::getenv("SWAPRIG_TEST_USER");
  if (user == nullptr)
    return skip("running as root; set SWAPRIG_TEST_USER to an ordinary user with ids in /etc/subuid");
  return run_again_as(user, program);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: vm_image_owners root|user\n";
    return 2;
  }
  try {
    return run(argv[1], argv[0]);
  } catch (const std::exception& error) {
    std::cout << "FAILED: " << error.what() << '\n';
    return 1;
  }
}
