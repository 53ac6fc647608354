#pragma once

// Numbers out of the texts of /proc. Pure, without allocation: the sampler uses them while the workload runs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// The number behind a line's key: "MemAvailable:  123 kB" for "MemAvailable:", "pswpin 7" for "pswpin".
std::optional<std::int64_t> value_of(std::string_view text, std::string_view key);

/// The total of a pressure file's line, in microseconds; `line` is "some" or "full".
std::optional<std::int64_t> pressure_total(std::string_view text, std::string_view line);

/// Takes one process number from the front of a list parted by white space; 0 at its end.
int take_pid(std::string_view& list);

/// The lines of /proc/diskstats of these devices and their partitions; all lines when none is named.
std::string lines_of_devices(std::string_view diskstats, const std::vector<std::string>& devices);

}  // namespace swaprig::probe
