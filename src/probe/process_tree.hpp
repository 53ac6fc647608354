#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "probe/system.hpp"

namespace swaprig::probe {

/// Everything that descends from this process. As subreaper (PR_SET_CHILD_SUBREAPER) it stays the ancestor of what its
/// children leave behind, so that walking down from it finds all. All memory is taken by the constructor.
class ProcessTree {
 public:
  ProcessTree();

  struct Usage {
    std::int64_t resident_kib = 0;
    std::int64_t swapped_kib = 0;
  };

  /// Resident and swapped memory of all of them. Pages shared between two count twice, as RSS does.
  Usage measure();

  /// SIGKILL for each; returns how many there were.
  int kill_all();

 private:
  /// A process that was seen, with its files in /proc kept open: opening them again for every sample would cost more
  /// than reading them, and take memory while there is none.
  struct Tracked {
    pid_t pid = 0;
    Descriptor status;
    Descriptor children;
    bool seen = false;
  };

  void walk(Usage& usage);
  void add_children_of(int children_file);
  void add_children_of_threads(pid_t pid);
  Tracked* track(pid_t pid);
  std::string_view read_into(int file);

  static constexpr std::size_t k_most = 256;

  Descriptor m_own_children;
  std::vector<Tracked> m_tracked;
  std::array<pid_t, k_most> m_queue{};  ///< found in this walk, in order
  std::size_t m_found = 0;
  std::vector<char> m_text;
};

}  // namespace swaprig::probe
