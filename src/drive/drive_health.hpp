#pragma once

#include <string>

#include "base/command.hpp"
#include "drive/block_device.hpp"

namespace swaprig::drive {

/// Asks smartctl; a drive that sleeps is left asleep. Never throws: what is not known is said in `note`.
DriveHealth read_health(const std::string& path, CommandRunner& commands);

/// Reads the answer of `smartctl --json -H -A -i`. Pure.
DriveHealth parse_health(const std::string& answer);

}  // namespace swaprig::drive
