#include "spec/named_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "spec/source.hpp"

namespace swaprig::spec {

std::optional<NamedFile> find_named(TableReader& table, const NamedSort& sort, const std::string& name,
                                    const std::string& experiment) {
  namespace fs = std::filesystem;
  if (name.ends_with(".toml")) {
    const auto path = (fs::path(experiment).parent_path() / name).lexically_normal().string();
    std::error_code unreadable;
    if (fs::is_regular_file(path, unreadable)) return NamedFile{read_source(path), path};
    table.fault(sort.key, "there is no file " + in_quotes(path),
                fmt::format("the path of a {} starts at the experiment's folder", sort.word));
    return std::nullopt;
  }
  const auto names = toml_names(sort.folder);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    table.fault(sort.key, fmt::format("there is no {} {}", sort.in_full, in_quotes(name)), suggest(name, names));
    return std::nullopt;
  }
  const auto path = (fs::path(sort.folder) / (name + ".toml")).string();
  return NamedFile{read_source(path), path};
}

bool parse_named(TableReader& table, const NamedSort& sort, const NamedFile& file, const std::function<void()>& parse) {
  try {
    parse();
    return true;
  } catch (const BadInput& bad) {
    std::vector<std::string> faults;
    for (const auto& fault : bad.diagnostics()) {
      faults.push_back(fmt::format("line {}, column {}: {}", fault.line, fault.column, fault.message));
    }
    table.fault(sort.key, fmt::format("the {} {} is faulty: {}", sort.word, in_quotes(file.path), join(faults, "; ")));
    return false;
  }
}

}  // namespace swaprig::spec
