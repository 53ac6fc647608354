#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/server_process.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::drive {

/// How the server of one simulated drive is started.
struct ServerSetup {
  std::filesystem::path nbdkit;
  std::filesystem::path plugin;
  std::filesystem::path socket;   ///< NBD, for QEMU
  std::filesystem::path control;  ///< ours
  std::filesystem::path bytes;    ///< empty: the server keeps them in memory of its own
  Bytes room;                     ///< that they may take at most; 0: as much as there is
  spec::SimulatedBacking backing;
  Layout layout;                  ///< the parts that are counted apart
};

/// HostError, with the package, when it is not installed.
std::filesystem::path require_nbdkit(CommandRunner& commands);

/// nbdkit's arguments. Pure.
std::vector<std::string> server_arguments(const ServerSetup& setup);

/// Real nbdkit with our plugin. When we are killed it ends as soon as its last client has gone.
class SimulatedServer final : public DriveServer {
 public:
  explicit SimulatedServer(ServerSetup setup) : m_setup(std::move(setup)) {}
  ~SimulatedServer() override { stop(); }

  void start(const std::filesystem::path& log) override;
  void stop() override;
  std::string lost() override;
  void add_swap_file(Bytes offset, Bytes size) override;
  void arm_faults() override;
  SimulatedCounters counters() override;

 private:
  /// One command; throws HostError when the server does not consent.
  std::string ask(const std::string& line) const;

  ServerSetup m_setup;
  std::filesystem::path m_log;
  std::unique_ptr<ServerProcess> m_process;
  std::chrono::steady_clock::time_point m_last_look;
  int m_silent_looks = 0;
};

}  // namespace swaprig::drive
