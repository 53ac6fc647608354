#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "run/readings.hpp"
#include "run/rules.hpp"
#include "spec/creation.hpp"

namespace swaprig::run {

namespace {

constexpr std::size_t k_shown_output = 2000;

/// Exit statuses of the shell and of the probe when there is nothing to execute.
constexpr int k_not_executable = 126;
constexpr int k_not_found = 127;

/// Exit statuses of the probe's memory workload.
constexpr int k_contents_wrong = 3;
constexpr int k_touched_less = 4;

std::string with_output(std::string text, const WorkloadEnd& end) {
  const auto output = printable(trim(end.output_tail), k_shown_output);
  return output.empty() ? text : text + "; the end of its output:\n" + output;
}

/// Why we think that memory ran out; nothing when it did not. Compilers report a child's SIGKILL in their own words
/// (GHC and cabal: "ExitFailure (-9)") and exit themselves.
std::optional<std::string> out_of_memory(const Evidence& evidence) {
  const auto& end = evidence.workload;
  const bool failed = end.exit_status != 0 || end.signal != 0;
  if (const auto kills = vmstat_growth(evidence, "oom_kill"); kills && *kills > 0) {
    return fmt::format("the guest's OOM killer killed {} process(es) in the window", *kills);
  }
  for (const auto& message : evidence.kernel_messages) {
    if (message.find("Out of memory: Killed process") != std::string::npos) {
      return fmt::format("the guest's kernel says: {}", printable_line(message));
    }
  }
  if (failed && end.output_tail.find("ExitFailure (-9)") != std::string::npos) {
    return "the command says that its child was killed: ExitFailure (-9)";
  }
  if (end.out_of_memory) return "the guest ran out of memory";
  return std::nullopt;
}

void check_status(const Evidence& evidence, Findings& findings) {
  const auto& end = evidence.workload;
  const int status = end.exit_status;
  if (status == k_not_found || status == k_not_executable) {
    findings.add(
        "command not found",
        with_output(fmt::format("exit status {}: the guest has no such command, or may not execute it", status), end));
  } else if (evidence.workload_kind == "memory" && status == k_contents_wrong) {
    findings.add("memory contents wrong", with_output("the memory workload read back other bytes than it wrote", end));
  } else if (evidence.workload_kind == "memory" && status == k_touched_less) {
    findings.add("touched less than asked", with_output("the memory workload touched less memory than asked", end));
  } else if (evidence.workload_kind == spec::k_swapfile_creation && status == wire::k_no_room_status) {
    findings.add("file system full", with_output("the file system has no room for the swap file", end));
  } else if (status != 0) {
    findings.add("exit status", with_output(fmt::format("the workload ended with exit status {}", status), end));
  }
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? std::to_string(signal) : fmt::format("SIG{} ({})", name, signal);
}

/// Without an end every run has a reason: whatever stopped it, or that nothing is known.
void check_missing_end(const Evidence& evidence, Findings& findings) {
  if (!evidence.failures.empty() || !set_up_faults(evidence).empty()) return;
  findings.add("workload lost", evidence.workload.started ? "the workload's end never arrived"
                                                          : "the workload was never started, and no step said why");
}

}  // namespace

void check_ending(const Evidence& evidence, Findings& findings) {
  const auto& end = evidence.workload;
  if (!end.error.empty()) {
    findings.add("command not found", fmt::format("the workload could not be started: {}", printable_line(end.error)));
    return;
  }
  if (const auto why = out_of_memory(evidence)) {
    findings.add("out of memory", with_output(*why, end));
  } else if (end.timed_out) {
    findings.add("timeout", with_output("the workload ran longer than its timeout and was killed", end));
  } else if (!end.finished) {
    check_missing_end(evidence, findings);
  } else if (end.signal != 0) {
    findings.add("killed by signal", with_output("the workload was killed by " + signal_name(end.signal), end));
  } else {
    check_status(evidence, findings);
  }
}

}  // namespace swaprig::run
