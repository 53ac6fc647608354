#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "base/files.hpp"
#include "simdrive/model/parameters.hpp"

namespace swaprig::testing {

/// nbdkit with our plugin, for the life of this object. Talks to it as a guest's QEMU would (qemu-io) and over the
/// control socket.
class ServedDrive {
 public:
  /// Starts and waits until it answers. `launcher` goes before nbdkit on the command line.
  explicit ServedDrive(const simdrive::DriveParameters& drive, std::vector<std::string> more = {},
                       std::vector<std::string> launcher = {});
  ~ServedDrive();
  ServedDrive(const ServedDrive&) = delete;
  ServedDrive& operator=(const ServedDrive&) = delete;

  std::string uri() const { return "nbd+unix:///?socket=" + nbd_socket().string(); }
  std::filesystem::path nbd_socket() const { return m_folder.path() / "nbd"; }
  std::filesystem::path control_socket() const { return m_folder.path() / "control"; }
  std::filesystem::path folder() const { return m_folder.path(); }
  pid_t pid() const { return m_pid; }

  /// One line to the control socket and its answer.
  nlohmann::json ask(const std::string& line) const;
  /// qemu-io commands, in this order, over one connection. The result is its output; it does not throw.
  CommandResult io(const std::vector<std::string>& commands) const;
  CommandResult run(const std::string& program, const std::vector<std::string>& arguments) const;

  void signal(int number) const;
  /// The wait status when it ends within a minute.
  std::optional<int> wait_for_end();

 private:
  TemporaryFolder m_folder;
  pid_t m_pid = -1;
};

/// Starts nbdkit with these parameters and returns how it ended; for parameters that are wrong.
CommandResult try_to_serve(const std::vector<std::string>& parameters);

std::string plugin_path();

/// "qemu-io" counts a failed command as success; this does not.
bool io_failed(const CommandResult& result);

simdrive::DriveParameters null_drive(std::uint64_t size);
simdrive::DriveParameters test_hdd();
simdrive::DriveParameters test_ssd();

}  // namespace swaprig::testing
