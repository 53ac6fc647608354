#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "image/image_store.hpp"

namespace swaprig::image {

/// manifest.json of a built image: what it is and what went into it.
struct Manifest {
  std::string name;
  std::string digest;
  std::string built_utc;
  std::string suite;
  std::string kernel_package;
  std::string kernel_release;
  Bytes data;  ///< what the files take in blocks of 4 KiB
  std::uint64_t inodes = 0;
  std::string packages;                        ///< "NAME VERSION" lines, as dpkg-query gives them
  std::map<std::string, std::string> sources;  ///< folder in the guest -> what lies there: "package cpphs 1.20.9.1-2"

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string to_json(const Manifest& manifest);

/// Throws Error when the text is no manifest.
Manifest manifest_from_json(const std::string& text);

/// The hexadecimal SHA-256 of all that makes an image what it is by its definition: its fields (not its name and
/// path), the version of this builder, and the machine's architecture.
std::string definition_digest(const spec::Image& image, const std::string& architecture);

/// The host's machine as uname(2) names it, "x86_64".
std::string host_architecture();

}  // namespace swaprig::image
