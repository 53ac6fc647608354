#pragma once

#include <filesystem>
#include <vector>

#include "image/image_store.hpp"

namespace swaprig::image {

/// Writes the given ranges of a sparse file to the target, zeros where the file has holes; O_DIRECT, fsync at the end.
/// Ranges and the target's offset are multiples of 4 KiB. Returns the bytes written. Throws FileError, or HostError
/// when the target's file system has no O_DIRECT.
Bytes pour(const std::filesystem::path& source, const std::vector<Range>& ranges, const Target& target);

}  // namespace swaprig::image
