#pragma once

// Pure readers of what /proc, /sys and programs say about this host.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace swaprig::host {

/// /proc/meminfo; what a line does not say is 0.
struct Memory {
  Bytes total;
  Bytes available;
  Bytes swap_total;
  Bytes swap_free;

  friend bool operator==(const Memory&, const Memory&) = default;
};

Memory parse_meminfo(std::string_view text);

/// "model name" of /proc/cpuinfo; empty when there is none.
std::string parse_cpu_model(std::string_view cpuinfo);
int count_processors(std::string_view cpuinfo);
bool has_cpu_flag(std::string_view cpuinfo, std::string_view flag);

/// PRETTY_NAME of /etc/os-release, without quotes; empty when there is none.
std::string parse_distribution(std::string_view os_release);

/// "madvise" of "always [madvise] never"; the whole line when nothing is in brackets.
std::string parse_choice(std::string_view text);

/// The first number of /proc/loadavg.
std::optional<double> parse_load(std::string_view text);

/// "7.2.22" of the first line of `qemu-system-x86_64 --version`; empty when it has another form.
std::string parse_qemu_version(std::string_view text);

/// The different governors of all processors, sorted and joined with ", "; empty when there are none.
std::string describe_governors(const std::vector<std::string>& governors);

}  // namespace swaprig::host
