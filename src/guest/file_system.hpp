#pragma once

#include <string>
#include <vector>

#include "spec/experiment.hpp"

namespace swaprig::guest {

/// Argument vectors that make a file system on a partition of the guest and mount it, in order. It is as quiet as one can
/// be had: nothing is left to initialise after mounting, nothing is discarded. Asserts that the type is a file system's.
std::vector<std::vector<std::string>> make_and_mount(spec::PartitionType type, const std::string& device,
                                                     const std::string& mount_point);

/// The Debian package that has the program of this file system, for messages.
std::string package_of(spec::PartitionType type);

}  // namespace swaprig::guest
