#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/image.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// The [[sources]] of an image; faults go to the table. `folder` is that of the image's file: paths on this host are
/// beside it, or absolute.
std::vector<ImageSource> read_sources(TableReader& root, const std::filesystem::path& folder);

/// The source whose folder is `path`, lies in it, or holds it; null when there is none.
const ImageSource* source_at(const std::vector<ImageSource>& sources, const std::string& path);

}  // namespace swaprig::spec
