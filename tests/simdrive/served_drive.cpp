#include "served_drive.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "support/catch.hpp"

extern char** environ;

namespace swaprig::testing {

namespace {

using namespace std::chrono_literals;

template <typename Condition>
bool within_a_minute(Condition condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

std::optional<std::string> exchange(const std::filesystem::path& path, const std::string& line) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return std::nullopt;
  const std::string text = line + "\n";
  if (send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return std::nullopt;
  std::string answer;
  char buffer[4096];
  while (answer.find('\n') == std::string::npos) {
    const ssize_t got = recv(socket.get(), buffer, sizeof(buffer), 0);
    if (got <= 0) return std::nullopt;
    answer.append(buffer, static_cast<std::size_t>(got));
  }
  return answer;
}

pid_t spawn(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = -1;
  REQUIRE(posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0);
  return pid;
}

}  // namespace

ServedDrive::ServedDrive(const simdrive::DriveParameters& drive, std::vector<std::string> more,
                         std::vector<std::string> launcher) {
  std::vector<std::string> words = std::move(launcher);
  for (const char* word : {"nbdkit", "--foreground", "--exit-with-parent", "--threads", "32", "--unix"})
    words.emplace_back(word);
  words.push_back(nbd_socket());
  words.push_back(plugin_path());
  for (const std::string& parameter : simdrive::encode(drive)) words.push_back(parameter);
  words.push_back("control=" + control_socket().string());
  for (std::string& parameter : more) words.push_back(std::move(parameter));
  m_pid = spawn(words);
  const bool answers = within_a_minute([&] { return exchange(control_socket(), "hello").has_value(); });
  if (!answers) kill(m_pid, SIGKILL);
  REQUIRE(answers);
}

ServedDrive::~ServedDrive() {
  if (m_pid < 0) return;
  kill(m_pid, SIGTERM);
  if (!wait_for_end()) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
}

nlohmann::json ServedDrive::ask(const std::string& line) const {
  const auto answer = exchange(control_socket(), line);
  REQUIRE(answer.has_value());
  return nlohmann::json::parse(*answer);
}

CommandResult ServedDrive::io(const std::vector<std::string>& commands) const {
  std::vector<std::string> arguments{"-f", "raw", "-t", "none"};
  for (const std::string& command : commands) {
    arguments.push_back("-c");
    arguments.push_back(command);
  }
  arguments.push_back(uri());
  return run("qemu-io", arguments);
}

CommandResult ServedDrive::run(const std::string& program, const std::vector<std::string>& arguments) const {
  SystemCommandRunner runner;
  Command command;
  command.program = program;
  command.arguments = arguments;
  command.directory = folder();
  command.timeout = 5min;
  return runner.run(command);
}

void ServedDrive::signal(int number) const { kill(m_pid, number); }

std::optional<int> ServedDrive::wait_for_end() {
  int status = 0;
  if (!within_a_minute([&] { return waitpid(m_pid, &status, WNOHANG) == m_pid; })) return std::nullopt;
  m_pid = -1;
  return status;
}

CommandResult try_to_serve(const std::vector<std::string>& parameters) {
  const TemporaryFolder folder;
  SystemCommandRunner runner;
  Command command;
  command.program = "nbdkit";
  command.arguments = {"--foreground", "--unix", folder.path() / "nbd", plugin_path()};
  command.arguments.insert(command.arguments.end(), parameters.begin(), parameters.end());
  command.timeout = 30s;
  return runner.run(command);
}

std::string plugin_path() {
  const char* path = std::getenv("SWAPRIG_SIMDRIVE");
  REQUIRE(path != nullptr);
  return path;
}

bool io_failed(const CommandResult& result) {
  const std::string text = result.out + result.err;
  return result.status != 0 || text.find("failed") != std::string::npos || text.find("rror") != std::string::npos;
}

simdrive::DriveParameters null_drive(std::uint64_t size) {
  simdrive::DriveParameters drive;
  drive.size = size;
  return drive;
}

simdrive::DriveParameters test_hdd() {
  using simdrive::from_seconds;
  simdrive::DriveParameters drive;
  drive.kind = simdrive::DriveKind::hdd;
  drive.geometry = simdrive::Geometry::spiral;
  drive.size = 2000398934016;
  drive.physical_sector = 4096;
  drive.hdd.rpm = 5400;
  drive.hdd.command_overhead = from_seconds(200e-6);
  drive.hdd.write_settle = from_seconds(500e-6);
  drive.hdd.interface_rate = 300'000'000;
  drive.hdd.read_ahead = 1U << 20U;
  drive.hdd.segments = 16;
  drive.hdd.write_cache = 48'000'000;
  drive.hdd.age_limit = from_seconds(0.5);
  drive.hdd.outer_rate = 115'000'000;
  drive.hdd.inner_rate = 55'000'000;
  drive.hdd.seek_track = from_seconds(2e-3);
  drive.hdd.seek_average = from_seconds(9.5e-3);
  drive.hdd.seek_full = from_seconds(21e-3);
  return drive;
}

simdrive::DriveParameters test_ssd() {
  using simdrive::from_seconds;
  simdrive::DriveParameters drive;
  drive.kind = simdrive::DriveKind::ssd;
  drive.size = 1ULL << 40U;
  drive.ssd = {
      from_seconds(5e-3), from_seconds(5e-3), from_seconds(20e-3), from_seconds(20e-3), 500'000'000, 400'000'000, 8};
  return drive;
}

}  // namespace swaprig::testing
