#pragma once

#include <memory>

#include "base/clock.hpp"
#include "batch/experiment_batch.hpp"

namespace swaprig::cli {

/// Progress on stderr: one living line on a terminal, plain lines elsewhere, warnings only when quiet.
std::unique_ptr<batch::Announcer> make_progress(bool quiet, Clock& clock);

/// A terminal, and NO_COLOR is not set.
bool colour_wanted(int fd);

}  // namespace swaprig::cli
