#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// What `run` is asked to do; the keys are documented in base/wire.hpp.
struct Job {
  std::string directory = "/";
  std::string user = "root";
  std::int64_t timeout_ms = 3'600'000;
  std::int64_t sample_ms = 1000;          ///< 0: off
  std::size_t output_limit = 64U << 10U;  ///< bytes of output kept, from the end
  int cores = 0;                          ///< processors 0 to cores - 1; 0: all
  int nice = 0;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  ///< NAME=VALUE
  std::vector<std::string> devices;
};

/// Throws Failure that names the key and what is wrong with it.
Job parse_job(std::string_view text);

struct Account {
  std::string name;
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups;  ///< `group` and every group that lists the name
  std::string home;
  std::string shell;
};

/// Looks a name up in the texts of /etc/passwd and /etc/group. The C library would load plug-ins for this, which a
/// static program cannot.
std::optional<Account> find_account(std::string_view passwd, std::string_view group, std::string_view name);

/// The workload's whole environment: a clean base, then the job's own, which win.
std::vector<std::string> environment_of(const Job& job, const Account& account);

}  // namespace swaprig::probe
