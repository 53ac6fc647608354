#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/wire.hpp"
#include "probe/console.hpp"
#include "probe/devices.hpp"
#include "probe/init.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr const char* k_cgroups = "/sys/fs/cgroup";
constexpr const char* k_agent_cgroup = "/sys/fs/cgroup/agent";
constexpr const char* k_ports = "/dev/virtio-ports";
constexpr int k_port_wait_ms = 20'000;
constexpr int k_agent_restarts = 20;

void mount_if_possible(const Console& console, const char* type, const char* where, unsigned long flags,
                       const char* options) {
  mkdir(where, 0755);
  if (mount(type, where, type, flags, options) != 0)
    console.say(with_reason(std::string("cannot mount ") + where, errno));
}

void mount_folders(const Console& console) {
  mount_if_possible(console, "devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "gid=5,mode=620,ptmxmode=666");
  mount_if_possible(console, "tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
  mount_if_possible(console, "cgroup2", k_cgroups, MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  mkdir("/run/lock", 01777);
  for (const auto& [name, target] : {std::pair{"/dev/fd", "/proc/self/fd"},
                                     {"/dev/stdin", "/proc/self/fd/0"},
                                     {"/dev/stdout", "/proc/self/fd/1"},
                                     {"/dev/stderr", "/proc/self/fd/2"}}) {
    if (symlink(target, name) != 0) continue;
  }
}

void raise_loopback() {
  const Descriptor socket_fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (socket_fd) ioctl(socket_fd.get(), SIOCSIFFLAGS, &request);
}

/// The agent has to answer while the workload thrashes: its memory is kept, and the OOM killer passes it by.
void prepare_agent_cgroup() {
  const std::string reserve = std::to_string(k_agent_reserve);
  if (const int error = write_text(std::string(k_cgroups) + "/cgroup.subtree_control", "+memory"); error != 0) {
    throw Failure(with_reason("cannot turn on the memory controller", error));
  }
  mkdir(k_agent_cgroup, 0755);
  if (const int error = write_text(std::string(k_agent_cgroup) + "/memory.min", reserve); error != 0) {
    throw Failure(with_reason("cannot reserve memory for the guest agent", error));
  }
  const Descriptor file(
      open((std::string(wire::k_guest_folder) + "/reserve").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  write_all(file.get(), reserve + "\n");
}

/// Waits for the agent's port: the host announces ports after the driver is there. The probe's own port is linked too
/// when it is there by then, else `run` finds it in /sys.
std::string link_ports() {
  std::optional<std::string> agent;
  for (int waited = 0; !(agent = virtio_port(wire::k_agent_port)); waited += 5) {
    if (waited >= k_port_wait_ms) throw Failure(std::string("no virtio serial port ") + wire::k_agent_port);
    sleep_ms(5);
  }
  mkdir(k_ports, 0755);
  for (const char* name : {wire::k_agent_port, wire::k_probe_port}) {
    const auto port = virtio_port(name);
    if (port && symlink(port->c_str(), (std::string(k_ports) + "/" + name).c_str()) != 0 && errno != EEXIST) {
      fail(std::string("cannot link the port ") + name);
    }
  }
  return std::string(k_ports) + "/" + wire::k_agent_port;
}

std::string find_agent() {
  for (const char* path : {"/usr/sbin/qemu-ga", "/usr/bin/qemu-ga", "/usr/local/bin/qemu-ga"}) {
    if (access(path, X_OK) == 0) return path;
  }
  throw Failure("the image has no qemu-ga; add the package qemu-guest-agent");
}

pid_t start_agent(const std::string& program, const std::string& port) {
  const pid_t child = fork();
  if (child != 0) return child;
  write_text(std::string(k_agent_cgroup) + "/cgroup.procs", "0");
  write_text("/proc/self/oom_score_adj", "-1000");
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setsid();
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  execl(program.c_str(), program.c_str(), "-m", "virtio-serial", "-p", port.c_str(), "-t", "/run", "-f",
        "/run/qemu-ga.pid", static_cast<char*>(nullptr));
  _exit(127);
}

void set_environment() {
  umask(022);
  clearenv();
  setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  setenv("HOME", "/root", 1);
  setenv("LANG", "C.UTF-8", 1);
}

/// Reaps whatever ends. The agent is started again when it dies, with a bound; a signal to us ends the guest.
[[noreturn]] void supervise(const Console& console, pid_t agent, const std::string& program, const std::string& port,
                            const sigset_t& watched) {
  int restarts = 0;
  while (true) {
    const int signal = sigwaitinfo(&watched, nullptr);
    if (signal < 0) continue;
    if (signal != SIGCHLD) power_off();
    for (pid_t ended = 0; (ended = waitpid(-1, nullptr, WNOHANG)) > 0;) {
      if (ended != agent) continue;
      console.say("the guest agent ended");
      if (++restarts > k_agent_restarts) give_up(console, "the guest agent ends again and again");
      sleep_ms(200);
      agent = start_agent(program, port);
    }
  }
}

}  // namespace

void init_on_root() {
  const Console console;
  try {
    reboot(RB_DISABLE_CAD);
    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGPWR}) sigaddset(&watched, signal);
    sigprocmask(SIG_SETMASK, &watched, nullptr);

    set_environment();
    mount_folders(console);
    sethostname("swaprig", 7);
    raise_loopback();
    prepare_agent_cgroup();
    const auto program = find_agent();
    const auto port = link_ports();
    const pid_t agent = start_agent(program, port);
    if (agent < 0) fail("cannot start the guest agent");
    console.say("init ready");
    supervise(console, agent, program, port, watched);
  } catch (const std::exception& error) {
    give_up(console, error.what());
  }
}

}  // namespace swaprig::probe
