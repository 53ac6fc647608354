#pragma once

#include <stdexcept>
#include <string>

namespace swaprig {

/// What the program ends with; the table is in the README.
enum class ExitCode : int {
  ok = 0,
  runs_failed = 1,
  usage = 2,
  regression = 3,
  host_not_fit = 4,
  deadline = 5,
  internal = 70,
  interrupted = 130,
  terminated = 143,
};

/// A broken environment: carries the exit code that it leads to.
/// Each boundary may add one line of context with `in_context`.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitCode code = ExitCode::internal)
      : std::runtime_error(message), m_code(code) {}

  ExitCode code() const { return m_code; }

 private:
  ExitCode m_code;
};

/// The command line, or a request that contradicts the stored state (exit code 2).
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(message, ExitCode::usage) {}
};

/// The host lacks something that swaprig needs (exit code 4).
class HostError : public Error {
 public:
  explicit HostError(const std::string& message) : Error(message, ExitCode::host_not_fit) {}
};

/// A file or folder of ours could not be read or written; names the path and errno's own words.
class FileError : public HostError {
 public:
  FileError(const std::string& doing, const std::string& path, int error_number);
};

}  // namespace swaprig
