#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "host/machine.hpp"

namespace swaprig::guest {

/// The agent stopped answering, or answered nonsense. Everything that it sends is bounded and checked.
class AgentError : public Error {
 public:
  explicit AgentError(const std::string& message) : Error(message, ExitCode::runs_failed) {}
};

struct ExecResult {
  int status = 0;           ///< exit status, or 128 + signal
  bool timed_out = false;
  std::string out;          ///< at most 1 MiB, raw bytes of the guest
  std::string err;          ///< at most 1 MiB, raw bytes of the guest
};

class GuestAgent {
 public:
  virtual ~GuestAgent() = default;

  /// True when it answers within two seconds.
  virtual bool answers() = 0;
  /// Runs to the end, output captured (bounded). Throws AgentError only when the agent itself fails.
  virtual ExecResult exec(const std::vector<std::string>& command, std::chrono::seconds timeout) = 0;
  /// Starts and forgets; what it does shows in files and on the probe's port.
  virtual void start(const std::vector<std::string>& command) = 0;
  /// Reads in pieces, at most `limit` bytes; throws AgentError when there is no such file.
  virtual std::string read_file(const std::string& path, Bytes limit) = 0;
  virtual void write_file(const std::string& path, const std::string& content) = 0;
};

/// Speaks the agent's JSON through a machine, which has to outlive it.
class QemuGuestAgent final : public GuestAgent {
 public:
  explicit QemuGuestAgent(host::Machine& machine) : m_machine(machine) {}

  bool answers() override;
  ExecResult exec(const std::vector<std::string>& command, std::chrono::seconds timeout) override;
  void start(const std::vector<std::string>& command) override;
  std::string read_file(const std::string& path, Bytes limit) override;
  void write_file(const std::string& path, const std::string& content) override;

 private:
  host::Machine& m_machine;
};

}  // namespace swaprig::guest
