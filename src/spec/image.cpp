#include "spec/image.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "spec/image_sources.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"
#include "spec/source.hpp"

namespace swaprig::spec {
namespace {

namespace fs = std::filesystem;

bool is_module_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string package_fault(const std::string& name) {
  return is_package_name(name) ? "" : in_quotes(name) + " is no name of a Debian package";
}

std::string module_fault(const std::string& name) {
  return is_module_name(name) ? "" : in_quotes(name) + " is no name of a kernel module";
}

std::string setup_fault(const std::string& line) { return trim(line).empty() ? "a setup line is empty" : ""; }

std::vector<std::string> read_list(TableReader& table, std::string_view key, const TextCheck& check) {
  return table.texts(key, check).value_or(std::vector<std::string>{});
}

void read_mode(TableReader& table, ImageFile& file) {
  const auto text = table.text("mode");
  if (!text) return;
  const bool octal = text->size() >= 3 && text->size() <= 5 &&
                     std::all_of(text->begin(), text->end(), [](char c) { return c >= '0' && c <= '7'; });
  const unsigned long mode = octal ? std::stoul(*text, nullptr, 8) : 07777 + 1;
  if (mode > 07777) {
    table.fault("mode", "mode: expected an octal mode such as \"0644\", found " + in_quotes(*text));
  } else {
    file.mode = static_cast<unsigned>(mode);
  }
}

/// The content of a file beside the image's own.
void read_from(TableReader& table, ImageFile& file, const fs::path& folder) {
  const auto from = table.text("from");
  if (!from) return;
  if (auto fault = path_fault('/' + *from); !fault.empty()) {
    table.fault("from", "from: expected a path beside the image's file; " + fault);
    return;
  }
  try {
    file.text = read_file(folder / *from);
  } catch (const FileError& error) {
    table.fault("from", std::string("from: ") + error.what());
  }
}

ImageFile read_image_file(TableReader& table, const fs::path& folder) {
  ImageFile file;
  table.require("to", "to = \"/etc/motd\"");
  if (const auto to = table.text("to")) {
    file.to = *to;
    if (auto fault = path_fault(*to); !fault.empty()) table.fault("to", "to: " + fault);
  }
  if (const auto text = table.text("text")) file.text = *text;
  read_from(table, file, folder);
  if (table.has("text") == table.has("from")) {
    table.fault_here("a file needs either text or from", "write text = \"...\" or from = \"a-file-beside\"");
  }
  read_mode(table, file);
  table.finish();
  return file;
}

void read_files(TableReader& root, Image& image, const fs::path& folder) {
  auto tables = root.tables("files", "this file");
  if (!tables) return;
  for (auto& table : *tables) {
    auto file = read_image_file(table, folder);
    const bool used = std::any_of(image.files.begin(), image.files.end(),
                                  [&](const ImageFile& other) { return !file.to.empty() && other.to == file.to; });
    if (used) table.fault("to", "there is another file for " + in_quotes(file.to));
    if (const auto* source = source_at(image.sources, file.to)) {
      table.fault("to", "to: it overlaps the folder of a source, " + in_quotes(source->to),
                  "a file there would not be under git: put it elsewhere, or write it in a setup line");
    }
    image.files.push_back(std::move(file));
  }
}

}  // namespace

Image load_image(const std::string& path) {
  Image image;
  image.name = fs::path(path).stem().string();
  image.path = path;

  const auto text = read_source(path);
  const Node document = parse_source(text, path, "images/README.md describes the language");
  Faults faults(path);
  TableReader root(std::get<Node::Table>(document.value), document.where, faults, "the file");
  if (read_schema(root)) {
    root.require("suite", "suite = \"bookworm\"");
    image.suite = root.text("suite").value_or("");
    if (!image.suite.empty() && !is_package_name(image.suite)) {
      root.fault("suite", "suite: " + in_quotes(image.suite) + " is no name of a Debian suite");
    }
    image.packages = read_list(root, "packages", package_fault);
    image.kernel_package = root.text("kernel").value_or("linux-image-amd64");
    if (auto fault = package_fault(image.kernel_package); !fault.empty()) root.fault("kernel", "kernel: " + fault);
    image.modules = read_list(root, "modules", module_fault);
    image.setup = read_list(root, "setup", setup_fault);
    image.sources = read_sources(root, fs::path(path).parent_path());
    read_files(root, image, fs::path(path).parent_path());
    root.finish();
  }
  faults.throw_if_any(text);
  return image;
}

std::vector<std::string> image_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace swaprig::spec
