#include "base/process_tree.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "base/files.hpp"

namespace swaprig {
namespace {

namespace fs = std::filesystem;

/// The parent in /proc/PID/stat, behind the name, which may hold anything; 0 when the process is gone.
pid_t parent_of(const fs::path& process) {
  const auto stat = try_read_file(process / "stat").value_or("");
  const auto name_end = stat.rfind(") ");
  if (name_end == std::string::npos || stat.size() < name_end + 4) return 0;
  return std::atoi(stat.c_str() + name_end + 4);
}

/// Stops the children of those in the tree that are not in it yet, and adds them; false when there are none.
bool grow(std::set<pid_t>& tree) {
  bool grown = false;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const auto pid = std::atoi(entry->path().filename().c_str());
    if (pid <= 0 || tree.contains(pid) || !tree.contains(parent_of(entry->path()))) continue;
    ::kill(pid, SIGSTOP);
    tree.insert(pid);
    grown = true;
  }
  return grown;
}

}  // namespace

void kill_process_tree(pid_t leader) {
  // Stopped first, so that none can start another while they are looked for.
  ::kill(-leader, SIGSTOP);
  std::set<pid_t> tree{leader};
  while (grow(tree)) {
  }
  ::kill(-leader, SIGKILL);
  for (const auto pid : tree) ::kill(pid, SIGKILL);
}

}  // namespace swaprig
