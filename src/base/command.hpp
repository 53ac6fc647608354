#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/stop.hpp"

namespace swaprig {

inline constexpr std::size_t k_output_limit = std::size_t{64} << 20U;

/// A program to run on the host: an argument vector, never a shell line.
struct Command {
  std::string program;  ///< looked up in PATH unless it holds a slash
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};  ///< added to ours
  std::string input{};                               ///< written to stdin, then closed
  std::filesystem::path directory{};                 ///< empty: ours
  std::chrono::milliseconds timeout{std::chrono::minutes(10)};
  std::size_t output_limit = k_output_limit;  ///< bytes kept of each of stdout and stderr
  bool cleans_up = false;                     ///< runs to its end although we were asked to stop

  friend bool operator==(const Command&, const Command&) = default;
};

/// Program and arguments, quoted so that a shell would read the same words; for messages only.
std::string to_string(const Command& command);

struct CommandResult {
  int status = 0;          ///< exit status, or 128 + signal
  bool timed_out = false;  ///< killed by us with SIGKILL, its process group and its descendants too
  std::string out;         ///< at most the command's output_limit, the end is cut
  std::string err;         ///< the same, the beginning is cut
};

/// A program that could not be started, failed or ran out of time: argv, status, end of stderr.
class CommandError : public HostError {
 public:
  CommandError(const Command& command, const CommandResult& result);
  explicit CommandError(const std::string& message) : HostError(message) {}
};

class CommandRunner {
 public:
  virtual ~CommandRunner() = default;

  /// Runs to the end. Throws CommandError only when the program cannot be started.
  virtual CommandResult run(const Command& command) = 0;

  /// The full path of a program in PATH, or nothing.
  virtual std::optional<std::filesystem::path> find(const std::string& program) = 0;
};

/// Runs and throws CommandError unless the status is 0; returns stdout.
std::string run_checked(CommandRunner& runner, const Command& command);

/// Real processes through Boost.Process v2.
class SystemCommandRunner final : public CommandRunner {
 public:
  /// With a flag (which must outlive it): once that is set a command is ended, and Interrupted thrown.
  explicit SystemCommandRunner(const StopFlag* stop = nullptr) : m_stop(stop) {}

  CommandResult run(const Command& command) override;
  std::optional<std::filesystem::path> find(const std::string& program) override;

 private:
  const StopFlag* m_stop;
};

}  // namespace swaprig
