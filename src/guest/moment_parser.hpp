#pragma once

#include <string_view>
#include <vector>

#include "guest/observations.hpp"

namespace swaprig::guest {

// Texts of the guest's /proc as values. Pure; a text of another form is an AgentError.

/// The nested sections of `before` and `after`.
GuestMoment parse_moment(std::string_view text);

/// "name value" lines; what has no number is left out.
Counters parse_vmstat(std::string_view text);
/// "Name:  value kB" lines.
Counters parse_meminfo(std::string_view text);
std::vector<DiskStat> parse_diskstats(std::string_view text);
/// Adds "RESOURCE.some" and "RESOURCE.full" to the counters.
void parse_pressure(std::string_view text, const std::string& resource, Counters& pressure_us);

}  // namespace swaprig::guest
