#include "drives/loop_device.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/text.hpp"
#include "drive/device_claim.hpp"
#include "drive/drive_label.hpp"

namespace swaprig::testing {

namespace fs = std::filesystem;

CommandRunner& commands() {
  static SystemCommandRunner runner;
  return runner;
}

std::string run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input) {
  Command command;
  command.program = program;
  command.arguments = arguments;
  command.input = input;
  return std::string(trim(run_checked(commands(), command)));
}

int status_of(const std::string& program, const std::vector<std::string>& arguments) {
  Command command;
  command.program = program;
  command.arguments = arguments;
  return commands().run(command).status;
}

bool have(const std::string& program) { return commands().find(program).has_value(); }

LoopDevice::LoopDevice(const fs::path& file, const LoopOptions& options) {
  std::vector<std::string> arguments{"--find", "--show", fmt::format("--direct-io={}", options.direct ? "on" : "off"),
                                     "--sector-size", std::to_string(options.sector)};
  if (options.read_only) arguments.emplace_back("--read-only");
  arguments.push_back(file.string());
  m_path = run("losetup", arguments);
}

void LoopDevice::detach() {
  if (m_path.empty()) return;
  try {
    // The kernel keeps them for whatever is attached there next.
    for (const auto& entry : fs::directory_iterator("/sys/block/" + name())) {
      const auto number = try_read_file(entry.path() / "partition");
      if (number) run("delpart", {m_path, std::string(trim(*number))});
    }
    run("losetup", {"--detach", m_path});
  } catch (const CommandError& error) {
    FAIL_CHECK(error.what());
  }
  m_path.clear();
}

Child::Child(const std::function<bool()>& action) {
  int ready[2];
  REQUIRE(::pipe2(ready, O_CLOEXEC) == 0);
  m_pid = ::fork();
  REQUIRE(m_pid >= 0);
  if (m_pid == 0) {
    const char answer = action() ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  ::close(ready[1]);
  char answer = 0;
  const auto n = ::read(ready[0], &answer, 1);
  ::close(ready[0]);
  if (n == 1 && answer == 'y') return;
  end();
  FAIL("the child could not do it");
}

Child::Child(const std::vector<std::string>& program) : m_pid(::fork()) {
  REQUIRE(m_pid >= 0);
  if (m_pid > 0) return;
  std::vector<char*> arguments;
  for (std::size_t i = 1; i < program.size(); ++i) arguments.push_back(const_cast<char*>(program[i].c_str()));
  arguments.push_back(nullptr);
  ::execv(program.front().c_str(), arguments.data());
  ::_exit(1);
}

void Child::end() {
  if (m_pid <= 0) return;
  ::kill(m_pid, SIGKILL);
  ::waitpid(m_pid, nullptr, 0);
  m_pid = -1;
}

LoopDrive::LoopDrive(Bytes size, const LoopOptions& options)
    : m_folder(std::make_unique<TestFolder>()), m_file(m_folder->path() / "drive.img") {
  const Fd fd = open_file(m_file, O_RDWR | O_CREAT | O_EXCL, "cannot make");
  REQUIRE(::ftruncate(fd.get(), static_cast<off_t>(size.count)) == 0);
  attach(options);
}

void LoopDrive::attach(const LoopOptions& options) {
  m_loop.reset();
  m_loop = std::make_unique<LoopDevice>(m_file, options);
  fs::remove(link());
  fs::create_symlink(m_loop->path(), link());
}

drive::BlockDevice LoopDrive::facts() const {
  const auto number = drive::look_up(path()).number;
  const auto devices = drive::read_block_devices(commands(), {number, false, "/dev/disk"});
  return drive::device_at(path(), devices);
}

void LoopDrive::claim() { drive::claim_device(path(), facts().serial, locks(), commands()); }

void LoopDrive::write(std::uint64_t offset, const std::string& bytes) const {
  const auto fd = open_file(path(), O_WRONLY, "cannot open");
  REQUIRE(::pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)) ==
          static_cast<ssize_t>(bytes.size()));
  REQUIRE(::fsync(fd.get()) == 0);
}

std::string LoopDrive::add_partition(int number, Bytes start, Bytes size) const {
  run("addpart", {path(), std::to_string(number), std::to_string(start.count / 512), std::to_string(size.count / 512)});
  return path() + "p" + std::to_string(number);  // the name ends in a digit
}

spec::DeviceBacking LoopDrive::wanted() const {
  const auto device = facts();
  return {link().string(), false, device.serial, device.size, "", std::nullopt, false};
}

std::string LoopDrive::digest() const {
  const auto fd = open_file(m_file, O_RDONLY, "cannot read");
  std::string text;
  std::string piece(std::size_t{1} << 20U, '\0');
  constexpr std::size_t k_block = 4096;
  const std::string zeros(k_block, '\0');
  off_t data = 0;
  while ((data = ::lseek(fd.get(), data, SEEK_DATA)) >= 0) {
    const auto hole = ::lseek(fd.get(), data, SEEK_HOLE);
    while (data < hole) {
      const auto want = std::min<std::size_t>(piece.size(), static_cast<std::size_t>(hole - data));
      const auto n = ::pread(fd.get(), piece.data(), want, data);
      REQUIRE(n > 0);
      const auto read = std::string_view(piece).substr(0, static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < read.size(); i += k_block) {
        const auto block = read.substr(i, k_block);
        // Zeros count as holes: what was reserved and never written shows as data once it was read.
        if (block != std::string_view(zeros).substr(0, block.size())) {
          text += fmt::format("{} {}\n", data + static_cast<off_t>(i), sha256(block));
        }
      }
      data += n;
    }
  }
  return sha256(text);
}

spec::Drive drive_of(const spec::DeviceBacking& backing) {
  spec::Drive drive;
  drive.name = "hdd";
  drive.backing = backing;
  drive.partitions = {{"root", mib(16), spec::PartitionType::ext4, false},
                      {"swap", mib(8), spec::PartitionType::swap, false}};
  return drive;
}

std::unique_ptr<drive::TestDrive> take(const spec::DeviceBacking& backing, const fs::path& locks,
                                       const std::vector<std::string>& allowed) {
  return drive::make_device_drive(drive_of(backing), allowed, locks, "swaprig-hdd", commands());
}

std::set<std::string> refusals_in(const std::string& message) {
  std::set<std::string> names;
  for (const auto& line : split(message, '\n')) {
    if (line.starts_with("  ")) names.insert(line.substr(2, line.find(':') - 2));
  }
  return names;
}

void check_refused(const LoopDrive& drive, const spec::DeviceBacking& wanted, const std::set<std::string>& names,
                   const std::string& words, const std::vector<std::string>& allowed) {
  const auto before = drive.digest();
  const auto message = message_of([&] { take(wanted, drive.locks(), allowed); });
  CAPTURE(message);
  CHECK(refusals_in(message) == names);
  CHECK(holds(message, words));
  CHECK(holds(message, "may not be used; nothing was written"));
  CHECK(drive.digest() == before);
}

}  // namespace swaprig::testing
