#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/wire.hpp"
#include "probe/measurement.hpp"
#include "probe/modes.hpp"

namespace swaprig::probe {

namespace {

struct Options {
  std::string job;
  std::string port;
  std::string result = wire::k_result_path;
  std::string cgroup = k_root_cgroup_procs;
  std::string kernel_log = "/dev/kmsg";
  bool lock = true;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (const auto port = option_value(argument, "port")) {
      options.port = *port;
    } else if (const auto result = option_value(argument, "result")) {
      options.result = *result;
    } else if (const auto cgroup = option_value(argument, "cgroup")) {
      options.cgroup = *cgroup;
    } else if (const auto log = option_value(argument, "log")) {
      options.kernel_log = *log;
    } else if (const auto lock = option_value(argument, "lock")) {
      options.lock = *lock != "0";
    } else {
      options.job = argument;
    }
  }
  if (options.job.empty()) throw Failure("no job file named");
  return options;
}

std::string measure(const Options& options, const Port& port) {
  const auto text = read_text(options.job);
  if (!text) fail("cannot read the job " + options.job);
  Measurement measurement(parse_job(*text), options.kernel_log);
  // Until the clock has stopped, the kernel must not page us out: that would be I/O of ours on a measured drive.
  if (options.lock && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) fail("cannot lock the probe's memory");
  measurement.run(port);
  return measurement.result();
}

bool write_result(const std::string& path, const std::string& result) {
  const std::string part = path + ".tmp";
  const Descriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file && write_all(file.get(), result) && rename(part.c_str(), path.c_str()) == 0) return true;
  unlink(part.c_str());
  return false;
}

}  // namespace

int run_mode(int argc, char** argv) {
  constexpr int k_line_ms = 1000;
  const Options options = parse(argc, argv);
  unlink(options.result.c_str());
  std::unique_ptr<Port> port;
  std::string result;
  int status = 0;
  try {
    leave_agent_cgroup(options.cgroup);
    port = std::make_unique<Port>(options.port);
    result = measure(options, *port);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "swaprig-probe run: %s\n", error.what());
    result = failed_result(error.what());
    if (port) port->send(wire::k_end_line, k_line_ms);
    status = 1;
  }
  if (!write_result(options.result, result) &&
      !write_result(options.result, failed_result("the result did not fit: " + options.result))) {
    std::fprintf(stderr, "swaprig-probe run: cannot write %s\n", options.result.c_str());
    return 1;
  }
  if (port) port->send(wire::k_result_line, k_line_ms);
  return status;
}

}  // namespace swaprig::probe
