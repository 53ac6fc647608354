#pragma once

#include <string>

#include "drive/block_device.hpp"

namespace swaprig::drive {

/// Digest of the MiB before and of the MiB behind a partition, read from the whole drive past the host's cache; of what
/// is there, at the ends of the drive. Throws FileError.
std::string edges_of(const BlockDevice& partition, const BlockDevice& drive);

}  // namespace swaprig::drive
