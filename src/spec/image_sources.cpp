#include "spec/image_sources.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "spec/names.hpp"

namespace swaprig::spec {
namespace {

namespace fs = std::filesystem;

/// One kind of source: its own key, and the key that proves what it got.
struct SourceKeys {
  ImageSource::Kind kind;
  const char* key;
  const char* proof;  ///< null when there is none
  std::size_t digits;
  const char* example;  ///< of the proof
};

constexpr std::array<SourceKeys, 3> k_source_keys{
    {{ImageSource::Kind::package, "package", nullptr, 0, ""},
     {ImageSource::Kind::tarball, "tarball", "sha256", 64, "sha256 = \"...\", as sha256sum prints it"},
     {ImageSource::Kind::git, "git", "commit", 40, "commit = \"...\", as git rev-parse prints it"}}};

constexpr const char* k_three_ways =
    "write package = \"NAME\", or tarball = \"FILE\" with sha256 = \"...\", or git = \"/FOLDER\" with commit = \"...\"";

/// The path on this host, or what is wrong with it.
std::string host_path(TableReader& table, const char* key, const std::string& text, const fs::path& folder) {
  const bool absolute = text.starts_with('/');
  if (auto fault = path_fault(absolute ? text : '/' + text); !fault.empty()) {
    table.fault(key, fmt::format("{}: expected a path beside the image's file, or an absolute one; {}", key, fault));
    return "";
  }
  return absolute ? text : (folder / text).string();
}

void read_package(TableReader& table, ImageSource& source) {
  if (!is_package_name(source.from)) {
    table.fault("package", "package: " + in_quotes(source.from) + " is no name of a Debian source package");
  }
}

void read_tarball(TableReader& table, ImageSource& source, const fs::path& folder) {
  source.from = host_path(table, "tarball", source.from, folder);
  if (source.from.empty()) return;
  std::error_code ignored;
  if (fs::is_directory(source.from, ignored)) {
    table.fault("tarball", "tarball: " + source.from + " is a folder");
    return;
  }
  try {
    open_file(source.from, O_RDONLY, "cannot read");
  } catch (const FileError& error) {
    table.fault("tarball", std::string("tarball: ") + error.what());
  }
}

void read_git(TableReader& table, ImageSource& source, const fs::path& folder) {
  const auto colon = source.from.find(':');
  if (colon != std::string::npos && colon < source.from.find('/')) {
    table.fault("git", "git: expected a folder of this host, found the address " + in_quotes(source.from),
                "an image takes nothing from the network but packages: clone the repository first");
    return;
  }
  source.from = host_path(table, "git", source.from, folder);
  std::error_code ignored;
  if (!source.from.empty() && !fs::is_directory(source.from, ignored)) {
    table.fault("git", "git: there is no folder " + source.from);
  }
}

void read_proof(TableReader& table, const SourceKeys& keys, ImageSource& source) {
  table.require(keys.proof, keys.example);
  const auto text = table.text(keys.proof);
  if (!text) return;
  const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0; };
  if (text->size() != keys.digits || !std::all_of(text->begin(), text->end(), is_hex)) {
    table.fault(keys.proof,
                fmt::format("{}: expected {} hexadecimal digits, found {}", keys.proof, keys.digits, in_quotes(*text)));
    return;
  }
  std::transform(text->begin(), text->end(), std::back_inserter(source.proof),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

/// What stands in the table but goes with another kind of source.
void refuse_foreign_proofs(TableReader& table, const SourceKeys* own) {
  for (const auto& keys : k_source_keys) {
    if (keys.proof == nullptr) continue;
    if (own != nullptr && &keys != own && table.has(keys.proof)) {
      table.fault_at_key(keys.proof, fmt::format("{} goes with {}, not with {}", keys.proof, keys.key, own->key));
    }
    table.ignore(keys.proof);
  }
}

/// The one kind that the table names; null, and a fault, when it names none or several.
const SourceKeys* kind_of(TableReader& table) {
  std::vector<const SourceKeys*> named;
  std::vector<std::string> words;
  for (const auto& keys : k_source_keys) {
    if (table.has(keys.key)) {
      named.push_back(&keys);
      words.emplace_back(keys.key);
    }
    table.ignore(keys.key);
  }
  if (named.size() == 1) return named.front();
  table.fault_here("a source is one package, one tarball or one git repository; found " +
                       (words.empty() ? "none of them" : join(words, " and ")),
                   k_three_ways);
  return nullptr;
}

ImageSource read_source_table(TableReader& table, const fs::path& folder) {
  ImageSource source;
  source.where = table.where();
  table.require("to", "to = \"/src/name\"");
  if (const auto to = table.text("to")) {
    source.to = *to;
    if (auto fault = path_fault(*to); !fault.empty()) table.fault("to", "to: " + fault);
  }
  const auto* keys = kind_of(table);
  if (keys != nullptr) {
    source.kind = keys->kind;
    if (const auto from = table.text(keys->key)) {
      source.from = *from;
      if (keys->kind == ImageSource::Kind::package) read_package(table, source);
      if (keys->kind == ImageSource::Kind::tarball) read_tarball(table, source, folder);
      if (keys->kind == ImageSource::Kind::git) read_git(table, source, folder);
    }
    if (keys->proof != nullptr) read_proof(table, *keys, source);
  }
  refuse_foreign_proofs(table, keys);
  table.finish();
  return source;
}

bool is_inside(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

const ImageSource* source_at(const std::vector<ImageSource>& sources, const std::string& path) {
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const ImageSource& source) {
    return !source.to.empty() && !path.empty() &&
           (source.to == path || is_inside(path, source.to) || is_inside(source.to, path));
  });
  return found == sources.end() ? nullptr : &*found;
}

std::vector<ImageSource> read_sources(TableReader& root, const fs::path& folder) {
  std::vector<ImageSource> sources;
  auto tables = root.tables("sources", "this source");
  if (!tables) return sources;
  for (auto& table : *tables) {
    auto source = read_source_table(table, folder);
    if (const auto* other = source_at(sources, source.to)) {
      table.fault("to", source.to == other->to ? "there is another source for " + in_quotes(source.to)
                                               : "to: one source cannot lie in another, here " + in_quotes(other->to));
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace swaprig::spec
