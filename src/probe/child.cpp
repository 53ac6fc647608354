#include "probe/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace swaprig::probe {

namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void restore_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
}

bool become(const Account& account) {
  if (geteuid() != 0) return account.user == geteuid();  // tests on the host
  return setgroups(account.groups.size(), account.groups.data()) == 0 && setgid(account.group) == 0 &&
         setuid(account.user) == 0;
}

/// The processors and the priority that the job asks for.
bool set_share(const Job& job) {
  if (job.cores != 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int core = 0; core < job.cores; ++core) CPU_SET(static_cast<unsigned>(core), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) return false;
  }
  return job.nice == 0 || setpriority(PRIO_PROCESS, 0, job.nice) == 0;
}

/// Between fork and exec. Sends errno to the parent and ends when something fails.
[[noreturn]] void execute(const Job& job, const Account& account, char* const* arguments, char* const* environment,
                          int output, int error_pipe) {
  restore_signals();
  setpgid(0, 0);
  write_text("/proc/self/oom_score_adj", "0");
  const int null = open("/dev/null", O_RDONLY);
  const bool wired =
      dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
  umask(022);
  if (wired && set_share(job) && become(account) && chdir(job.directory.c_str()) == 0) {
    execvpe(arguments[0], arguments, environment);
  }
  const int error = errno;
  if (write(error_pipe, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

}  // namespace

Child start_child(const Job& job, const Account& account, const std::vector<std::string>& environment) {
  auto output = make_pipe();
  auto error = make_pipe();
  const auto arguments = pointers_to(job.arguments);
  const auto variables = pointers_to(environment);
  // execvpe looks the program up in our PATH, so ours has to be the workload's.
  for (const auto& entry : environment) {
    if (entry.starts_with("PATH=")) setenv("PATH", entry.c_str() + 5, 1);
  }

  Child child;
  child.started_ns = monotonic_ns();
  child.pid = fork();
  if (child.pid < 0) fail("cannot start a process for the workload");
  if (child.pid == 0) {
    execute(job, account, arguments.data(), variables.data(), output.write.get(), error.write.get());
  }
  setpgid(child.pid, child.pid);
  output.write.reset();
  error.write.reset();
  int error_number = 0;
  if (read(error.read.get(), &error_number, sizeof error_number) == sizeof error_number) {
    child.exec_error = with_reason(job.arguments.front(), error_number);
    waitpid(child.pid, nullptr, 0);
    return child;
  }
  child.handle = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0)));
  if (!child.handle) {
    const int reason = errno;
    kill(-child.pid, SIGKILL);
    throw Failure(with_reason("cannot watch the workload's process", reason));
  }
  fcntl(output.read.get(), F_SETFL, O_NONBLOCK);
  child.output = std::move(output.read);
  return child;
}

void leave_agent_cgroup(const std::string& cgroup_procs) {
  const int error = write_text(cgroup_procs, "0");
  if (error != 0) throw Failure(with_reason("cannot leave the guest agent's cgroup", error));
}

}  // namespace swaprig::probe
