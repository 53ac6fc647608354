#pragma once

#include <filesystem>

#include "host/findings.hpp"

namespace swaprig::host {

/// Makes the folder when it is missing, and tries it: an unnamed file, and a write with O_DIRECT.
FolderState look_at_folder(const std::filesystem::path& folder);

}  // namespace swaprig::host
