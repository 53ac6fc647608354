#pragma once

#include <string>
#include <vector>

#include "host/machine.hpp"

namespace swaprig::host {

/// Reads the answer to QMP's query-blockstats; drives in the order given, found by their device alias.
/// Throws HostError when the answer has another form or a drive is not in it. Pure.
std::vector<BlockCounters> parse_block_counters(const std::string& answer, const std::vector<std::string>& drives);

/// QMP's own error in an answer ("GenericError: ..."), or nothing. Pure.
std::string monitor_fault(const std::string& answer);

}  // namespace swaprig::host
