#pragma once

#include "batch/experiment_batch.hpp"

namespace swaprig::batch {

/// Prepares what stays the same over the runs: acceleration, images (built when missing), initrds with our probe, drives
/// (made and written in full). Checks that memory and space suffice before anything is made.
run::Stage set_stage(const spec::Experiment& experiment, host::MachineHost& machines, image::ImageStore& images,
                     Tools& tools, Announcer& announcer);

/// The largest guest of any scenario. Pure.
Bytes largest_memory(const spec::Experiment& experiment);

/// What all drives take on the host. Pure.
Bytes drive_space(const spec::Experiment& experiment);

/// "sr-HEX-DRIVE": at most 20 characters, different for different experiments and drives, the same every time. Pure.
std::string drive_serial(const std::string& experiment, const std::string& drive);

}  // namespace swaprig::batch
