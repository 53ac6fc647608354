#include "spec/source.hpp"

#include <algorithm>
#include <filesystem>

#include "base/diagnostic.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::spec {

std::string read_source(const std::string& path) {
  try {
    return read_file(path, mib(4));
  } catch (const FileError& error) {
    throw BadInput({{path, 0, 0, error.what(), "give the path of a TOML file of at most 4 MiB"}}, "");
  }
}

Node parse_source(const std::string& text, const std::string& path, const std::string& hint) {
  auto document = parse_document(text, path);
  if (std::get<Node::Table>(document.value).empty()) throw BadInput({{path, 0, 0, "the file is empty", hint}}, text);
  return document;
}

std::vector<std::string> toml_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace swaprig::spec
