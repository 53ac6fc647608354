#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "probe/child.hpp"
#include "probe/modes.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

int step_mode(int argc, char** argv) {
  if (argc < 1) throw Failure("no command named");
  leave_agent_cgroup(k_root_cgroup_procs);
  const auto begin = monotonic_ns();
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process");
  if (child == 0) {
    write_text("/proc/self/oom_score_adj", "0");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    std::fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::printf("step_ns=%lld\n", static_cast<long long>(monotonic_ns() - begin));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace swaprig::probe
