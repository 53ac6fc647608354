#include "host/processes.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <optional>

#include "base/text.hpp"

namespace swaprig::host {
namespace {

constexpr Bytes k_arguments_limit = kib(256);

std::filesystem::path folder_of(int pid) { return std::filesystem::path("/proc") / std::to_string(pid); }

template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<int> all_pids() {
  std::vector<int> pids;
  std::error_code ignored;  // entries vanish while we read
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (const auto pid = parse_number<int>(entry.path().filename().string())) pids.push_back(*pid);
  }
  return pids;
}

ProcessStat stat_of(int pid) { return parse_stat(try_read_file(folder_of(pid) / "stat").value_or("")); }

std::uint64_t start_time_of(int pid) { return stat_of(pid).started; }

std::vector<std::string> arguments_of(int pid) {
  auto arguments = split(try_read_file(folder_of(pid) / "cmdline", k_arguments_limit).value_or(""), '\0');
  if (!arguments.empty() && arguments.back().empty()) arguments.pop_back();
  return arguments;
}

/// The value that follows an option.
std::string value_of(const std::vector<std::string>& arguments, const std::string& option) {
  const auto found = std::find(arguments.begin(), arguments.end(), option);
  return found == arguments.end() || found + 1 == arguments.end() ? "" : *(found + 1);
}

/// "guest=NAME,debug-threads=on"; a comma within the name is doubled.
std::string guest_name(const Process& process) {
  const std::string name = value_of(process.arguments, "-name");
  return name.starts_with("guest=") ? name.substr(6, name.find(',') - 6) : "";
}

}  // namespace

ProcessStat parse_stat(const std::string& stat) {
  // proc(5) counts from 1; what follows the name begins with field 3.
  constexpr std::size_t k_state = 3 - 3;
  constexpr std::size_t k_parent = 4 - 3;
  constexpr std::size_t k_session = 6 - 3;
  constexpr std::size_t k_started = 22 - 3;
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return {};
  const auto fields = split_words(std::string_view(stat).substr(name_end + 1));
  if (fields.size() <= k_started) return {};
  const auto parent = parse_number<int>(fields[k_parent]);
  const auto session = parse_number<int>(fields[k_session]);
  const auto started = parse_number<std::uint64_t>(fields[k_started]);
  if (!parent || !session || !started) return {};
  return {fields[k_state].front(), *parent, *session, *started};
}

Process own_process() {
  const int pid = ::getpid();
  return Process{pid, start_time_of(pid), arguments_of(pid)};
}

std::string boot_id() { return std::string(trim(try_read_file("/proc/sys/kernel/random/boot_id").value_or(""))); }

std::vector<Process> find_processes(const std::function<bool(const Process&)>& wanted) {
  std::vector<Process> found;
  for (const int pid : all_pids()) {
    Process process{pid, start_time_of(pid), arguments_of(pid)};
    if (process.started != 0 && wanted(process)) found.push_back(std::move(process));
  }
  return found;
}

std::vector<std::pair<int, ProcessStat>> children_of(int parent) {
  std::vector<std::pair<int, ProcessStat>> children;
  for (const int pid : all_pids()) {
    if (const auto stat = stat_of(pid); stat.parent == parent) children.emplace_back(pid, stat);
  }
  return children;
}

bool is_guest_under(const Process& process, const std::filesystem::path& root) {
  if (!guest_name(process).starts_with("swaprig-")) return false;
  const std::string inside = root.string() + "/";
  return std::any_of(process.arguments.begin(), process.arguments.end(),
                     [&](const std::string& argument) { return argument.find(inside) != std::string::npos; });
}

bool is_guest(const Process& process, const std::string& name, const std::string& uuid) {
  return guest_name(process) == name && value_of(process.arguments, "-uuid") == uuid;
}

// By system call: glibc 2.36 declares pidfd_open without C linkage.
ProcessHandle::ProcessHandle(const Process& process)
    : m_fd(process.pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)) : -1) {
  if (m_fd && start_time_of(process.pid) != process.started) m_fd = Fd();
}

bool ProcessHandle::ended() const {
  if (!m_fd) return true;
  pollfd end{m_fd.get(), POLLIN, 0};
  if (::poll(&end, 1, 0) != 1) return false;
  siginfo_t ignored{};
  ::waitid(P_PIDFD, static_cast<id_t>(m_fd.get()), &ignored, WEXITED | WNOHANG);
  return true;
}

bool ProcessHandle::kill_and_wait(std::chrono::milliseconds wait) const {
  if (ended()) return true;
  if (::syscall(SYS_pidfd_send_signal, m_fd.get(), SIGKILL, nullptr, 0) != 0) return ended();
  pollfd end{m_fd.get(), POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(wait.count()));
  return ended();
}

}  // namespace swaprig::host
