#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "image/manifest.hpp"

namespace swaprig::image {

/// The folder of built images: who may build, use and remove them, and that only finished ones are seen.
///
///   images/NAME-DIGEST12/                 a finished image
///   images/NAME-DIGEST12.building-PID/    one that PID builds or built
///   locks/NAME-DIGEST12.build             held (flock) while it, or a file system of it, is made
///   locks/NAME-DIGEST12.use               held shared by all that use it
class ImageCache {
 public:
  using Progress = std::function<void(const std::string&)>;
  /// Fills the folder and returns the manifest.
  using Builder = std::function<Manifest(const std::filesystem::path& folder)>;

  ImageCache(std::filesystem::path cache, CommandRunner& commands, Clock& clock);

  static std::string key(const std::string& name, const std::string& digest);
  std::filesystem::path folder(const std::string& key) const;

  /// The finished image's manifest, built when there is none. Waits while another process builds it.
  Manifest ensure(const std::string& key, const Builder& build, const Progress& progress);

  /// Keeps `remove` away as long as it lives. Waits while another process removes the image.
  std::shared_ptr<const void> use(const std::string& key);

  /// Waits for the lock for building.
  FileLock lock_for_building(const std::string& key, const Progress& progress);

  /// Keys of all finished images, sorted.
  std::vector<std::string> keys() const;
  std::optional<Manifest> manifest(const std::string& key) const;

  /// Throws UsageError while it is being built or used.
  void remove(const std::string& key);

 private:
  void sweep_leftovers(const std::string& own_key);

  std::filesystem::path m_cache;
  CommandRunner& m_commands;
  Clock& m_clock;
};

}  // namespace swaprig::image
