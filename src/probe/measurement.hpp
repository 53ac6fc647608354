#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probe/child.hpp"
#include "probe/job.hpp"
#include "probe/kernel_log.hpp"
#include "probe/moment.hpp"
#include "probe/port.hpp"
#include "probe/process_tree.hpp"
#include "probe/sampler.hpp"
#include "probe/tail_buffer.hpp"

namespace swaprig::probe {

/// One workload, started, timed and watched. The constructor takes all the memory that is needed until the clock has
/// stopped, and checks what the job names.
class Measurement {
 public:
  /// Throws Failure when there is no such user or directory.
  Measurement(Job job, const std::string& kernel_log);

  /// Runs the workload and sends the start and end lines. Throws Failure when it cannot even try.
  void run(const Port& port);

  /// The whole result file.
  std::string result() const;

 private:
  void follow(const Child& child);
  void drain(const Child& child);
  void stop_the_clock(const Child& child, std::int64_t end_ns);
  void kill_what_is_left();

  Job m_job;
  Account m_account;
  std::vector<std::string> m_environment;
  Moment m_before;
  Moment m_after;
  KernelLog m_kernel_log;
  ProcessTree m_tree;
  Sampler m_sampler;
  TailBuffer m_output;

  bool m_started = false;
  bool m_finished = false;
  bool m_timed_out = false;
  int m_wait_status = 0;
  std::int64_t m_wall_ns = 0;
  std::int64_t m_user_us = 0;
  std::int64_t m_system_us = 0;
  std::int64_t m_major_faults = 0;
  std::int64_t m_peak_resident_kib = 0;
  std::int64_t m_sampler_us = 0;
  int m_leftover_processes = 0;
  std::string m_exec_error;
  std::string m_kernel_messages;
};

/// The result of a job that could not even be tried.
std::string failed_result(const std::string& why);

}  // namespace swaprig::probe
