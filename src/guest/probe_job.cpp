#include "guest/probe_job.hpp"

#include "base/wire.hpp"

namespace swaprig::guest {

std::string encode_job(const ProbeJob& job) {
  wire::Fields fields = {
      {"version", std::to_string(wire::k_version)},
      {"directory", job.directory},
      {"user", job.user},
      {"timeout_ms", std::to_string(job.timeout.count())},
      {"sample_ms", std::to_string(job.sample.count())},
      {"output_limit", std::to_string(job.output_limit.count)},
  };
  if (job.cores != 0) fields.emplace_back("cores", std::to_string(job.cores));
  if (job.nice != 0) fields.emplace_back("nice", std::to_string(job.nice));
  for (const auto& argument : job.command) fields.emplace_back("argument", argument);
  for (const auto& [name, value] : job.environment) fields.emplace_back("environment", name + "=" + value);
  for (const auto& device : job.devices) fields.emplace_back("device", device);
  return wire::encode_fields(fields);
}

std::vector<std::string> run_command() { return {wire::k_probe_path, "run", wire::k_job_path}; }

std::vector<std::string> quiet_run_command(const std::string& job_path, const std::string& result_path) {
  return {wire::k_probe_path, "run", job_path, "--port=none", "--result=" + result_path};
}

}  // namespace swaprig::guest
