#include "probe/measurement.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/wire.hpp"

namespace swaprig::probe {

namespace {

constexpr std::int64_t k_ns_per_ms = 1'000'000;
constexpr std::int64_t k_most_samples = 1 << 16;
constexpr std::int64_t k_reap_ns = 10'000 * k_ns_per_ms;  ///< for a killed workload to end
constexpr int k_listener_ms = 10'000;                     ///< for the host to listen before the start
constexpr int k_end_line_ms = 1'000;
constexpr std::size_t k_kernel_limit = 256U << 10U;

Account account_of(const std::string& name) {
  auto account = find_account(read_text("/etc/passwd").value_or(""), read_text("/etc/group").value_or(""), name);
  if (!account) throw Failure("the guest has no user " + name);
  return std::move(*account);
}

void check_directory(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fail("directory " + path);
  if (!S_ISDIR(status.st_mode)) throw Failure(path + " is not a directory");
}

std::size_t sample_capacity(const Job& job) {
  if (job.sample_ms == 0) return 1;
  return static_cast<std::size_t>(std::min(job.timeout_ms / job.sample_ms + 2, k_most_samples));
}

std::int64_t microseconds(const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec; }

std::int64_t own_cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

}  // namespace

Measurement::Measurement(Job job, const std::string& kernel_log)
    : m_job(std::move(job)),
      m_account(account_of(m_job.user)),
      m_environment(environment_of(m_job, m_account)),
      m_kernel_log(kernel_log),
      m_sampler(m_tree, sample_capacity(m_job)),
      m_output(m_job.output_limit) {
  check_directory(m_job.directory);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
}

void Measurement::run(const Port& port) {
  m_before.read();
  if (m_job.sample_ms != 0) m_sampler.take(0);
  if (!port.send(wire::k_start_line, k_listener_ms)) throw Failure("the host does not listen on the probe's port");
  const auto cpu_before = own_cpu_us();
  const Child child = start_child(m_job, m_account, m_environment);
  m_exec_error = child.exec_error;
  if (m_exec_error.empty()) {
    m_started = true;
    follow(child);
  }
  port.send(wire::k_end_line, k_end_line_ms);
  m_sampler_us = own_cpu_us() - cpu_before;
  m_after.read();
  m_kernel_messages = m_kernel_log.take_new(k_kernel_limit);
  if (m_started) drain(child);
  kill_what_is_left();
}

/// Samples and empties the output until the workload has ended or, after its time, does not even die.
void Measurement::follow(const Child& child) {
  const std::int64_t interval = m_job.sample_ms * k_ns_per_ms;
  std::int64_t deadline = child.started_ns + m_job.timeout_ms * k_ns_per_ms;
  std::int64_t next_sample = interval != 0 ? child.started_ns + interval : deadline;
  int output = child.output.get();
  while (true) {
    const std::int64_t wake = m_timed_out ? deadline : std::min(next_sample, deadline);
    const std::int64_t wait_ns = std::max<std::int64_t>(wake - monotonic_ns(), 0);
    const timespec wait{wait_ns / 1'000'000'000, wait_ns % 1'000'000'000};
    std::array<pollfd, 2> files = {{{child.handle.get(), POLLIN, 0}, {output, POLLIN, 0}}};
    ppoll(files.data(), files.size(), &wait, nullptr);
    const std::int64_t now = monotonic_ns();
    if (files[0].revents != 0) return stop_the_clock(child, now);
    if ((files[1].revents & POLLIN) != 0) {
      drain(child);
    } else if (files[1].revents != 0) {
      output = -1;  // closed by the workload, which goes on
    }
    if (interval != 0 && !m_timed_out && now >= next_sample) {
      m_sampler.take((now - child.started_ns) / k_ns_per_ms);
      next_sample += ((now - next_sample) / interval + 1) * interval;
    }
    if (now < deadline) continue;
    if (m_timed_out) return;
    m_timed_out = true;
    m_wall_ns = now - child.started_ns;
    deadline = now + k_reap_ns;
    kill(-child.pid, SIGKILL);
    m_tree.kill_all();
  }
}

/// Reads what is there, with a bound: a workload that only writes must not keep the probe from its samples.
void Measurement::drain(const Child& child) {
  std::array<char, 16384> piece;
  for (int turns = 0; turns < 8; ++turns) {
    const auto got = read(child.output.get(), piece.data(), piece.size());
    if (got <= 0) return;
    m_output.append({piece.data(), static_cast<std::size_t>(got)});
  }
}

void Measurement::stop_the_clock(const Child& child, std::int64_t end_ns) {
  rusage usage{};
  if (wait4(child.pid, &m_wait_status, 0, &usage) != child.pid) return;
  m_finished = !m_timed_out;
  m_wall_ns = end_ns - child.started_ns;
  m_user_us = microseconds(usage.ru_utime);
  m_system_us = microseconds(usage.ru_stime);
  m_major_faults = usage.ru_majflt;
  m_peak_resident_kib = usage.ru_maxrss;
}

/// What the workload left running would go on during the next steps; it has two seconds to die.
void Measurement::kill_what_is_left() {
  const auto reap = [] {
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
  };
  reap();
  int left = m_tree.kill_all();
  m_leftover_processes = left;
  for (int turns = 0; left != 0 && turns < 200; ++turns) {
    sleep_ms(10);
    reap();
    left = m_tree.kill_all();
  }
}

std::string Measurement::result() const {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const bool exited = m_started && WIFEXITED(m_wait_status);
  const bool signalled = m_started && WIFSIGNALED(m_wait_status);
  wire::Fields summary = {
      {"version", number(wire::k_version)},
      {"started", number(m_started)},
      {"finished", number(m_finished)},
      {"timed_out", number(m_timed_out)},
      {"exit_status", number(exited ? WEXITSTATUS(m_wait_status) : 0)},
      {"signal", number(signalled ? WTERMSIG(m_wait_status) : 0)},
      {"wall_ns", number(m_wall_ns)},
      {"user_us", number(m_user_us)},
      {"system_us", number(m_system_us)},
      {"major_faults", number(m_major_faults)},
      {"peak_resident_kib", number(m_peak_resident_kib)},
      {"peak_memory_kib", number(m_sampler.peak_memory_kib())},
      {"output_bytes", number(static_cast<std::int64_t>(m_output.total()))},
      {"samples_lost", number(m_sampler.lost())},
      {"kernel_lost", number(m_kernel_log.lost())},
      {"sampler_us", number(m_sampler_us)},
      {"leftover_processes", number(m_leftover_processes)},
  };
  if (!m_exec_error.empty()) summary.emplace_back("exec_error", m_exec_error);

  std::string result;
  wire::append_section(result, "summary", wire::encode_fields(summary));
  wire::append_section(result, "before", m_before.sections(m_job.devices));
  wire::append_section(result, "after", m_after.sections(m_job.devices));
  wire::append_section(result, "samples", m_sampler.text());
  wire::append_section(result, "kernel", m_kernel_messages);
  wire::append_section(result, "output", m_output.text());
  return result;
}

std::string failed_result(const std::string& why) {
  std::string result;
  wire::append_section(
      result, "summary",
      wire::encode_fields({{"version", std::to_string(wire::k_version)}, {"started", "0"}, {"error", why}}));
  return result;
}

}  // namespace swaprig::probe
