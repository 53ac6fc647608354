#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/command.hpp"
#include "base/error.hpp"
#include "image/apt_sources.hpp"

namespace swaprig::image {

/// The archive does not know a source package, or knows it and lacks its files. In apt's own words.
class NoSuchSource : public Error {
 public:
  explicit NoSuchSource(const std::string& message) : Error(message, ExitCode::usage) {}
};

/// The "deb-src" lines for the archives of "deb" lines.
std::vector<std::string> source_archives(const std::vector<std::string>& package_archives);

/// The Version of a .dsc file's text; empty when it has none.
std::string source_version(std::string_view dsc);

/// Debian source packages from the archives that an image's packages come from. The apt that fetches them keeps its
/// state below `folder` and leaves the host's own alone.
class SourceArchive {
 public:
  SourceArchive(std::filesystem::path folder, const HostApt& apt, CommandRunner& commands);

  /// Downloads a source package, unpacks it with its patches into `tree`, which must not exist yet, and returns its
  /// version. Throws NoSuchSource, CommandError.
  std::string unpack(const std::string& package, const std::filesystem::path& tree);

 private:
  Command apt_get(std::vector<std::string> words, const std::filesystem::path& directory) const;
  void update();

  std::filesystem::path m_folder;
  const HostApt& m_apt;
  CommandRunner& m_commands;
  bool m_updated = false;
};

}  // namespace swaprig::image
