#pragma once

#include "batch/experiment_batch.hpp"

namespace swaprig::batch {

/// Prepares what stays the same over the runs: acceleration, images (built when missing), initrds with our probe, drives
/// (made and written in full; real ones taken hold of, `allowed` being the refusals that the user overrides). Checks that
/// memory and space suffice before anything is made.
run::Stage set_stage(const spec::Experiment& experiment, const std::vector<std::string>& allowed,
                     host::MachineHost& machines, image::ImageStore& images, Tools& tools, Announcer& announcer);

/// The largest guest of any scenario. Pure.
Bytes largest_memory(const spec::Experiment& experiment);

/// What the drives that are files take on the host. Pure.
Bytes drive_space(const spec::Experiment& experiment);

/// What one run leaves on a simulated drive at most, about: its largest placement, and the root with an image of that
/// size. Pure.
Bytes written_in_a_run(const spec::Experiment& experiment, const spec::Drive& drive, Bytes image);

/// "sr-HEX-DRIVE": at most 20 characters, different for different experiments and drives, the same every time. Pure.
std::string drive_serial(const std::string& experiment, const std::string& drive);

}  // namespace swaprig::batch
