#include "probe/tool.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr int k_not_executed = 127;

std::int64_t microseconds(const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec; }

Timing cpu_time(const rusage& usage) { return {0, microseconds(usage.ru_utime), microseconds(usage.ru_stime)}; }

Timing own_cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpu_time(usage);
}

[[noreturn]] void execute(char* const* arguments, int output) {
  const int null = open("/dev/null", O_RDONLY);
  if (dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
    execvp(arguments[0], arguments);
  }
  const auto words = with_reason(arguments[0], errno);
  write_all(output, words);
  _exit(k_not_executed);
}

/// What was written, from its end.
std::string end_of(int file) {
  constexpr off_t k_kept = 2000;
  std::array<char, k_kept> words{};
  const auto size = lseek(file, 0, SEEK_END);
  const auto got = pread(file, words.data(), words.size(), size > k_kept ? size - k_kept : 0);
  return std::string(trimmed({words.data(), got > 0 ? static_cast<std::size_t>(got) : 0}));
}

}  // namespace

ToolEnd run_tool(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // In memory, so that neither a full pipe nor a drive can hold the tool up.
  const Descriptor output(memfd_create("tool", MFD_CLOEXEC));
  if (!output) fail("cannot keep what a tool says");

  ToolEnd end;
  const auto start = monotonic_ns();
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process");
  if (child == 0) execute(arguments.data(), output.get());
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("cannot wait for " + command.front());
  }
  const auto now = monotonic_ns();
  end.timing = cpu_time(usage);
  end.timing.real_ns = now - start;
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.words = end_of(output.get());
  if (end.status == k_not_executed) throw Failure(end.words);
  return end;
}

Stopwatch::Stopwatch() : m_start_ns(monotonic_ns()), m_used(own_cpu_time()) {}

Timing Stopwatch::stop() const {
  const auto now = monotonic_ns();
  const auto used = own_cpu_time();
  return {now - m_start_ns, used.user_us - m_used.user_us, used.system_us - m_used.system_us};
}

Timing operator+(Timing a, Timing b) {
  return {a.real_ns + b.real_ns, a.user_us + b.user_us, a.system_us + b.system_us};
}

}  // namespace swaprig::probe
