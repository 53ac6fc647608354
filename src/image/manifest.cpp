#include "image/manifest.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::image {
namespace {

/// Goes up whenever the same definition would give another image.
constexpr int k_builder_version = 3;

/// Each text with its length, so that no two lists of texts look the same.
void append(std::string& whole, std::string_view text) { whole += fmt::format("{}:{},", text.size(), text); }

void append(std::string& whole, const std::vector<std::string>& texts) {
  append(whole, std::to_string(texts.size()));
  for (const auto& text : texts) append(whole, text);
}

nlohmann::json packages_to_json(const std::string& lines) {
  auto packages = nlohmann::json::object();
  for (const auto& line : split(lines, '\n')) {
    const auto words = split_words(line);
    if (words.size() == 2) packages[words[0]] = words[1];
  }
  return packages;
}

std::string packages_from_json(const nlohmann::json& packages) {
  std::string lines;
  for (const auto& [name, version] : packages.items()) lines += name + ' ' + version.get<std::string>() + '\n';
  return lines;
}

}  // namespace

std::string to_json(const Manifest& manifest) {
  nlohmann::ordered_json json{{"name", manifest.name},
                              {"digest", manifest.digest},
                              {"builder", k_builder_version},
                              {"built_utc", manifest.built_utc},
                              {"suite", manifest.suite},
                              {"kernel_package", manifest.kernel_package},
                              {"kernel_release", manifest.kernel_release},
                              {"data_bytes", manifest.data.count},
                              {"inodes", manifest.inodes},
                              {"packages", packages_to_json(manifest.packages)}};
  if (!manifest.sources.empty()) json["sources"] = manifest.sources;
  return json.dump(2) + '\n';
}

Manifest manifest_from_json(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    Manifest manifest;
    json.at("name").get_to(manifest.name);
    json.at("digest").get_to(manifest.digest);
    json.at("built_utc").get_to(manifest.built_utc);
    json.at("suite").get_to(manifest.suite);
    json.at("kernel_package").get_to(manifest.kernel_package);
    json.at("kernel_release").get_to(manifest.kernel_release);
    json.at("data_bytes").get_to(manifest.data.count);
    json.at("inodes").get_to(manifest.inodes);
    manifest.packages = packages_from_json(json.at("packages"));
    if (json.contains("sources")) json.at("sources").get_to(manifest.sources);
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("cannot read the image's manifest: {}", error.what()));
  }
}

std::string definition_digest(const spec::Image& image, const std::string& architecture) {
  std::string whole = fmt::format("swaprig image {}\n", k_builder_version);
  append(whole, architecture);
  append(whole, image.suite);
  append(whole, image.packages);
  append(whole, image.kernel_package);
  append(whole, image.modules);
  append(whole, std::to_string(image.files.size()));
  for (const auto& file : image.files) {
    append(whole, file.to);
    append(whole, fmt::format("{:o}", file.mode));
    append(whole, file.text);
  }
  append(whole, image.setup);
  // Images without sources keep the digest that they had before there were any.
  if (!image.sources.empty()) append(whole, std::to_string(image.sources.size()));
  for (const auto& source : image.sources) {
    append(whole, source.to);
    append(whole, std::to_string(static_cast<int>(source.kind)));
    // A tarball or a commit is the same wherever it lies on this host.
    append(whole, source.kind == spec::ImageSource::Kind::package ? source.from : source.proof);
  }
  return sha256(whole);
}

std::string host_architecture() {
  utsname names{};
  ::uname(&names);
  return names.machine;
}

}  // namespace swaprig::image
