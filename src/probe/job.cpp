#include "probe/job.hpp"

#include <sched.h>

#include <algorithm>

#include "base/wire.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr std::uint64_t k_longest_ms = 30ULL * 24 * 3600 * 1000;
constexpr std::uint64_t k_shortest_sample_ms = 10;
constexpr std::uint64_t k_most_output = 4U << 20U;

std::uint64_t bounded(const std::string& key, const std::string& value, std::uint64_t low, std::uint64_t high) {
  const auto number = to_number(value);
  if (!number || *number < low || *number > high) {
    throw Failure("job: " + key + "=" + value + " is not a number from " + std::to_string(low) + " to " +
                  std::to_string(high));
  }
  return *number;
}

void set(Job& job, const std::string& key, const std::string& value) {
  if (key == "version") {
    bounded(key, value, wire::k_version, wire::k_version);
  } else if (key == "directory") {
    job.directory = value;
  } else if (key == "user") {
    job.user = value;
  } else if (key == "timeout_ms") {
    job.timeout_ms = static_cast<std::int64_t>(bounded(key, value, 1, k_longest_ms));
  } else if (key == "sample_ms") {
    job.sample_ms = static_cast<std::int64_t>(bounded(key, value, 0, k_longest_ms));
    if (job.sample_ms != 0) bounded(key, value, k_shortest_sample_ms, k_longest_ms);
  } else if (key == "output_limit") {
    job.output_limit = static_cast<std::size_t>(bounded(key, value, 1, k_most_output));
  } else if (key == "cores") {
    job.cores = static_cast<int>(bounded(key, value, 1, CPU_SETSIZE));
  } else if (key == "nice") {
    const bool negative = value.starts_with('-');
    const auto amount = static_cast<int>(bounded(key, negative ? value.substr(1) : value, 0, negative ? 20 : 19));
    job.nice = negative ? -amount : amount;
  } else if (key == "argument") {
    job.arguments.push_back(value);
  } else if (key == "environment") {
    if (value.find('=') == std::string::npos) throw Failure("job: environment=" + value + " is not NAME=VALUE");
    job.environment.push_back(value);
  } else if (key == "device") {
    job.devices.push_back(value);
  } else {
    throw Failure("job: unknown key " + key);
  }
}

/// Takes the next part up to the separator from the front.
std::string_view take(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

void add_groups(Account& account, std::string_view group) {
  while (!group.empty()) {
    auto line = take(group, '\n');
    take(line, ':');
    take(line, ':');
    const auto number = to_number(take(line, ':'));
    auto members = take(line, ':');
    while (number && !members.empty()) {
      if (take(members, ',') != account.name) continue;
      const auto id = static_cast<gid_t>(*number);
      if (id != account.group) account.groups.push_back(id);
    }
  }
}

}  // namespace

Job parse_job(std::string_view text) {
  wire::Fields fields;
  if (!wire::decode_fields(text, fields)) throw Failure("job: a line is not KEY=VALUE");
  Job job;
  for (const auto& [key, value] : fields) set(job, key, value);
  if (fields.empty() || fields.front().first != "version") throw Failure("job: does not begin with version");
  if (job.arguments.empty()) throw Failure("job: no argument, so there is no command to run");
  return job;
}

std::optional<Account> find_account(std::string_view passwd, std::string_view group, std::string_view name) {
  while (!passwd.empty()) {
    auto line = take(passwd, '\n');
    if (take(line, ':') != name) continue;
    take(line, ':');
    const auto user = to_number(take(line, ':'));
    const auto primary = to_number(take(line, ':'));
    if (!user || !primary) return std::nullopt;
    take(line, ':');
    Account account;
    account.name = std::string(name);
    account.user = static_cast<uid_t>(*user);
    account.group = static_cast<gid_t>(*primary);
    account.home = std::string(take(line, ':'));
    account.shell = std::string(line);
    account.groups.push_back(account.group);
    add_groups(account, group);
    return account;
  }
  return std::nullopt;
}

std::vector<std::string> environment_of(const Job& job, const Account& account) {
  std::vector<std::string> environment = {
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "HOME=" + account.home,
      "USER=" + account.name,
      "LOGNAME=" + account.name,
      "SHELL=" + (account.shell.empty() ? "/bin/sh" : account.shell),
      "LANG=C.UTF-8",
  };
  for (const auto& entry : job.environment) {
    const auto name_and_equals = entry.substr(0, entry.find('=') + 1);
    std::erase_if(environment, [&](const std::string& old) { return old.starts_with(name_and_equals); });
    environment.push_back(entry);
  }
  return environment;
}

}  // namespace swaprig::probe
