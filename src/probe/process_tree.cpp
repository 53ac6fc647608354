#include "probe/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "probe/procfs.hpp"

namespace swaprig::probe {

namespace {

constexpr std::size_t k_text_limit = 8U << 10U;

using Path = std::array<char, 64>;

template <typename... Numbers>
Path proc_path(const char* format, Numbers... numbers) {
  Path path{};
  std::snprintf(path.data(), path.size(), format, numbers...);
  return path;
}

Descriptor open_for_reading(const Path& path, int flags = 0) {
  return Descriptor(open(path.data(), O_RDONLY | O_CLOEXEC | flags));
}

}  // namespace

ProcessTree::ProcessTree() : m_tracked(k_most), m_text(k_text_limit) {
  const auto own = getpid();
  m_own_children = open_for_reading(proc_path("/proc/%d/task/%d/children", own, own));
  if (!m_own_children) fail("cannot follow the workload's processes in /proc");
}

std::string_view ProcessTree::read_into(int file) {
  const auto got = pread(file, m_text.data(), m_text.size(), 0);
  return {m_text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

ProcessTree::Tracked* ProcessTree::track(pid_t pid) {
  Tracked* unused = nullptr;
  for (auto& tracked : m_tracked) {
    if (tracked.pid == pid) return &tracked;
    if (tracked.pid == 0 && unused == nullptr) unused = &tracked;
  }
  if (unused == nullptr) return nullptr;
  unused->status = open_for_reading(proc_path("/proc/%d/status", pid));
  unused->children = open_for_reading(proc_path("/proc/%d/task/%d/children", pid, pid));
  if (unused->status) unused->pid = pid;
  return unused->status ? unused : nullptr;
}

void ProcessTree::add_children_of(int children_file) {
  auto list = read_into(children_file);
  while (const pid_t pid = take_pid(list)) {
    if (m_found < m_queue.size()) m_queue[m_found++] = pid;
  }
}

void ProcessTree::add_children_of_threads(pid_t pid) {
  // readdir(3) would allocate.
  const auto folder = open_for_reading(proc_path("/proc/%d/task", pid), O_DIRECTORY);
  alignas(dirent64) std::array<char, 2048> entries;
  long got = 0;
  while (folder && (got = syscall(SYS_getdents64, folder.get(), entries.data(), entries.size())) > 0) {
    for (long at = 0; at < got;) {
      const char* const name = entries.data() + at + offsetof(dirent64, d_name);
      unsigned short length = 0;
      std::memcpy(&length, entries.data() + at + offsetof(dirent64, d_reclen), sizeof length);
      at += length;
      std::string_view word = name;
      const pid_t thread = take_pid(word);
      if (thread == 0 || thread == pid) continue;
      if (const auto children = open_for_reading(proc_path("/proc/%d/task/%d/children", pid, thread))) {
        add_children_of(children.get());
      }
    }
  }
}

void ProcessTree::walk(Usage& usage) {
  m_found = 0;
  for (auto& tracked : m_tracked) tracked.seen = false;
  add_children_of(m_own_children.get());
  for (std::size_t next = 0; next < m_found; ++next) {
    Tracked* const tracked = track(m_queue[next]);
    if (tracked == nullptr) continue;
    tracked->seen = true;
    const auto status = read_into(tracked->status.get());
    usage.resident_kib += value_of(status, "VmRSS:").value_or(0);
    usage.swapped_kib += value_of(status, "VmSwap:").value_or(0);
    const bool threaded = value_of(status, "Threads:").value_or(1) > 1;
    if (tracked->children) add_children_of(tracked->children.get());
    if (threaded) add_children_of_threads(tracked->pid);
  }
  for (auto& tracked : m_tracked) {
    if (tracked.pid == 0 || tracked.seen) continue;
    tracked.pid = 0;
    tracked.status.reset();
    tracked.children.reset();
  }
}

ProcessTree::Usage ProcessTree::measure() {
  Usage usage;
  walk(usage);
  return usage;
}

int ProcessTree::kill_all() {
  Usage ignored;
  walk(ignored);
  for (std::size_t i = 0; i < m_found; ++i) kill(m_queue[i], SIGKILL);
  return static_cast<int>(m_found);
}

}  // namespace swaprig::probe
