#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"

namespace swaprig::host {

/// A process of this host as /proc shows it. Pid and start time together name it for good until the next boot.
struct Process {
  int pid = 0;
  std::uint64_t started = 0;  ///< clock ticks since boot
  std::vector<std::string> arguments;
};

/// What we need of a /proc/PID/stat text.
struct ProcessStat {
  char state = '?';
  int parent = 0;
  int session = 0;
  std::uint64_t started = 0;  ///< field 22, clock ticks since boot

  friend bool operator==(const ProcessStat&, const ProcessStat&) = default;
};

/// All defaults when the text has another form. The program's name in it may hold spaces and parentheses.
ProcessStat parse_stat(const std::string& stat);

/// This process.
Process own_process();

/// "/proc/sys/kernel/random/boot_id", trimmed.
std::string boot_id();

/// Every process that we can see and that `wanted` picks.
std::vector<Process> find_processes(const std::function<bool(const Process&)>& wanted);

/// The children of a process, ended ones too.
std::vector<std::pair<int, ProcessStat>> children_of(int parent);

/// A QEMU whose "-name" is a guest of ours and that uses files under `root`.
bool is_guest_under(const Process& process, const std::filesystem::path& root);

/// The QEMU of that name and UUID.
bool is_guest(const Process& process, const std::string& name, const std::string& uuid);

/// A hold on one process (a pidfd): stays on it even when its pid is given to another.
class ProcessHandle {
 public:
  /// Holds nothing when the process is gone already.
  explicit ProcessHandle(const Process& process);

  /// True when it has ended; reaps it when it is our child.
  bool ended() const;
  /// SIGKILL, and waits for the end. False when it is still there after the wait, or may not be killed.
  bool kill_and_wait(std::chrono::milliseconds wait) const;

 private:
  Fd m_fd;
};

}  // namespace swaprig::host
