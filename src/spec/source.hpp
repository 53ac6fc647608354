#pragma once

#include <string>
#include <vector>

#include "spec/document.hpp"

namespace swaprig::spec {

/// The text of a file that a user wrote, at most 4 MiB. One that cannot be read is a wrong file: BadInput.
std::string read_source(const std::string& path);

/// `parse_document`, and BadInput for a file with nothing in it; `hint` says where the language is described.
Node parse_source(const std::string& text, const std::string& path, const std::string& hint);

/// NAME of every NAME.toml in a folder, sorted; empty when there is no such folder.
std::vector<std::string> toml_names(const std::string& folder);

}  // namespace swaprig::spec
