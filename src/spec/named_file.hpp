#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// One sort of files that an experiment names: by a name in a folder of ours, or as a path of its own.
struct NamedSort {
  std::string_view key;      ///< of the experiment: "simulate"
  std::string_view word;     ///< "profile"
  std::string_view in_full;  ///< "drive profile"
  std::string folder;        ///< of NAME.toml; empty: none
};

struct NamedFile {
  std::string text;
  std::string path;  ///< for messages
};

/// A name that ends in .toml is a file, sought from the experiment's folder. Nothing, and a fault at the sort's key,
/// when it is not there.
std::optional<NamedFile> find_named(TableReader& table, const NamedSort& sort, const std::string& name,
                                    const std::string& experiment);

/// Calls `parse`. A faulty file is one fault of the experiment, which names all of the file's; then the answer is
/// false.
bool parse_named(TableReader& table, const NamedSort& sort, const NamedFile& file, const std::function<void()>& parse);

}  // namespace swaprig::spec
