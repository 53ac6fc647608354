#include "base/server_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "base/command.hpp"

namespace swaprig {
namespace {

constexpr std::chrono::milliseconds k_patience{2000};
constexpr std::chrono::milliseconds k_poll{5};

/// What the new process is before it becomes the program; both are freed whatever happens.
struct Setup {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  explicit Setup(const std::filesystem::path& log) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigset_t none, ours;
    sigemptyset(&none);
    sigemptyset(&ours);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&ours, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ours);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Setup() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;
};

}  // namespace

ServerProcess::ServerProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             const std::filesystem::path& log) {
  const Setup setup(log);
  auto name = program.string();
  auto words = arguments;
  std::vector<char*> argv{name.data()};
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error = posix_spawn(&m_pid, name.c_str(), &setup.files, &setup.attributes, argv.data(), environ);
  if (error != 0) {
    throw CommandError(fmt::format("cannot start {}: {}", name, std::generic_category().message(error)));
  }
}

ServerProcess::~ServerProcess() {
  if (ended()) return;
  ::kill(m_pid, SIGTERM);
  if (wait_for(k_patience)) return;
  ::kill(m_pid, SIGKILL);
  ::waitpid(m_pid, nullptr, 0);
}

std::optional<std::string> ServerProcess::ended() {
  int status = 0;
  if (m_end) return m_end;
  const auto found = ::waitpid(m_pid, &status, WNOHANG);
  if (found < 0 && errno == ECHILD) m_end = "nobody knows how";  // somebody else reaped it: its pid may be another's
  if (found == m_pid) {
    m_end = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                : fmt::format("exit status {}", WEXITSTATUS(status));
  }
  return m_end;
}

bool ServerProcess::wait_for(std::chrono::milliseconds time) {
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    if (ended()) return true;
    std::this_thread::sleep_for(k_poll);
  }
  return false;
}

}  // namespace swaprig
