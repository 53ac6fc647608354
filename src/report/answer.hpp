#pragma once

// The sentences at the top of a report. Pure.

#include <string>
#include <vector>

#include "report/findings.hpp"

namespace swaprig::report {

/// Which placement, how much faster than which, with its uncertainty; never more than the numbers carry.
std::string answer(const Findings& findings);

/// "memory: 300 MiB · guest: 256 MiB, 1 vcpu, TCG · 2 blocks, mirrored"
std::string setting(const Subject& subject);

/// What a reader has to know about single scenarios.
std::vector<std::string> notes(const Findings& findings);

std::vector<Banner> banners(const Subject& subject, const Findings& findings);

}  // namespace swaprig::report
