#pragma once

#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "run/record.hpp"
#include "spec/experiment.hpp"

namespace swaprig::batch {

/// The part of the plan that is needed: all of it, or, with `runs.precision`, the blocks up to the first look (after 4
/// blocks and every even block from there) at which every difference to the baseline is known to the precision asked
/// for. Depends on the stored runs alone, so that the answer is the same tomorrow. Never stops on significance. Pure.
std::vector<plan::PlannedRun> needed(const std::vector<plan::PlannedRun>& plan, const spec::Experiment& experiment,
                                     std::span<const run::RunRecord> stored);

}  // namespace swaprig::batch
