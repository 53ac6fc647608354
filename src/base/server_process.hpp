#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace swaprig {

/// A program that runs beside us, in a session of its own, until it is stopped or this ends. Its stdout and stderr go to
/// a file. Nothing ends it when we are killed: give it a flag that does (nbdkit --exit-with-parent).
class ServerProcess {
 public:
  /// Throws CommandError when it cannot be started. `log` is made anew.
  ServerProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& log);
  /// SIGTERM, and SIGKILL after 2 s.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  pid_t pid() const { return m_pid; }
  /// How it ended by itself ("exit status 1", "signal 9"); nothing while it runs.
  std::optional<std::string> ended();

 private:
  bool wait_for(std::chrono::milliseconds time);

  pid_t m_pid = -1;
  std::optional<std::string> m_end;
};

}  // namespace swaprig
