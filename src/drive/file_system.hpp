#pragma once

#include <filesystem>
#include <string>

#include "base/command.hpp"
#include "drive/attachment.hpp"

namespace swaprig::drive {

/// Whether every bus takes the text as a drive's serial: 1 to 20 characters of [A-Za-z0-9-]. Pure.
bool is_guest_serial(const std::string& text);

/// mke2fs on one partition of a file or device, by its offset. Root's, with nothing left to do after mounting: no lazy
/// tables, no discard, the same ids every time. Pure.
Command make_ext4(const std::filesystem::path& path, const PlacedPartition& partition, const std::string& serial);

}  // namespace swaprig::drive
