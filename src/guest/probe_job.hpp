#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace swaprig::guest {

/// What the probe is to run and time.
struct ProbeJob {
  std::vector<std::string> command;  ///< argument vector
  std::string directory = "/";
  std::string user = "root";
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds timeout{std::chrono::hours(1)};
  std::chrono::milliseconds sample{1000};  ///< 0: off
  Bytes output_limit = kib(64);            ///< how much of the output's end is kept
  int cores = 0;                           ///< how many processors it may use, from the first on; 0: all
  int nice = 0;                            ///< -20 to 19
  std::vector<std::string> devices;        ///< block devices whose statistics are kept; none: all
};

/// The job file (base/wire.hpp). Pure.
std::string encode_job(const ProbeJob& job);

/// The command that runs a job with samples and with lines on the probe's port.
std::vector<std::string> run_command();

/// The command that runs another job the same way without a line on the port, to its end: for preparations. Its result
/// is at `result_path`.
std::vector<std::string> quiet_run_command(const std::string& job_path, const std::string& result_path);

}  // namespace swaprig::guest
