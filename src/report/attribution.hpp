#pragma once

#include <string>

#include "report/findings.hpp"

namespace swaprig::report {

/// Where the time of the arm's scored run went, and against the baseline's: one sentence, from the numbers alone. With
/// simulated drives it tells the time of the drives that the scenario swaps to, otherwise what the guest waited for.
/// Empty without a scored run. `baseline` may be null. Pure.
std::string attribution(const Arm& arm, const Arm* baseline);

}  // namespace swaprig::report
