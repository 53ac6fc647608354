#include "image/image_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.hpp"
#include "image/user_mode.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view k_building = ".building-";
constexpr const char* k_manifest = "manifest.json";
constexpr auto k_poll = 100ms;

/// True once the lock is held; false while somebody holds it in a way that excludes ours.
bool try_flock(const Fd& fd, int operation, const fs::path& path) {
  if (::flock(fd.get(), operation | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  throw FileError("cannot lock", path.string(), errno);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw FileError("cannot rename to", to.string(), errno);
  sync_folder(to.parent_path());
}

}  // namespace

ImageCache::ImageCache(fs::path cache, CommandRunner& commands, Clock& clock)
    : m_cache(std::move(cache)), m_commands(commands), m_clock(clock) {}

std::string ImageCache::key(const std::string& name, const std::string& digest) {
  return slug(name) + '-' + digest.substr(0, 12);
}

fs::path ImageCache::folder(const std::string& key) const { return m_cache / "images" / key; }

std::shared_ptr<const void> ImageCache::use(const std::string& key) {
  make_folders(m_cache / "locks");
  const auto path = m_cache / "locks" / (key + ".use");
  auto fd = std::make_shared<const Fd>(open_file(path, O_RDWR | O_CREAT, "cannot open the lock"));
  while (!try_flock(*fd, LOCK_SH, path)) m_clock.sleep(k_poll);
  return fd;
}

FileLock ImageCache::lock_for_building(const std::string& key, const Progress& progress) {
  make_folders(m_cache / "locks");
  const auto path = m_cache / "locks" / (key + ".build");
  for (bool told = false;; told = true) {
    if (auto lock = FileLock::try_lock(path, "builds " + key)) return std::move(*lock);
    if (!told) progress(fmt::format("waiting for another swaprig ({})", FileLock::holder(path)));
    m_clock.sleep(k_poll);
  }
}

std::optional<Manifest> ImageCache::manifest(const std::string& key) const {
  const auto text = try_read_file(folder(key) / k_manifest);
  return text ? std::optional(manifest_from_json(*text)) : std::nullopt;
}

Manifest ImageCache::ensure(const std::string& key, const Builder& build, const Progress& progress) {
  make_folders(m_cache / "images");
  if (const auto finished = manifest(key)) return *finished;
  const auto lock = lock_for_building(key, progress);
  if (const auto finished = manifest(key)) return *finished;
  sweep_leftovers(key);

  auto building = folder(key);
  building += fmt::format("{}{}", k_building, ::getpid());
  make_folders(building);
  try {
    const auto made = build(building);
    write_file_durably(building / k_manifest, to_json(made));
    rename_durably(building, folder(key));
    return made;
  } catch (...) {
    remove_image_folder(building, m_commands);
    throw;
  }
}

/// A folder that is being built belongs to the holder of its lock: with the lock in our hands, its builder is dead.
void ImageCache::sweep_leftovers(const std::string& own_key) {
  for (const auto& entry : fs::directory_iterator(m_cache / "images")) {
    const auto name = entry.path().filename().string();
    const auto mark = name.rfind(k_building);
    if (mark == std::string::npos) continue;
    const auto owner = name.substr(0, mark);
    std::optional<FileLock> lock;
    if (owner != own_key) {
      lock = FileLock::try_lock(m_cache / "locks" / (owner + ".build"), "removes leftovers of " + owner);
      if (!lock) continue;
    }
    remove_image_folder(entry.path(), m_commands);
  }
}

std::vector<std::string> ImageCache::keys() const {
  std::vector<std::string> keys;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(m_cache / "images", missing)) {
    if (fs::exists(entry.path() / k_manifest) &&
        entry.path().filename().string().find(k_building) == std::string::npos) {
      keys.push_back(entry.path().filename().string());
    }
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

void ImageCache::remove(const std::string& key) {
  const auto refuse = [&](const char* why) {
    throw UsageError(fmt::format("cannot remove the image {}: {}; try again when the other swaprig is done", key, why));
  };
  make_folders(m_cache / "locks");
  const auto lock = FileLock::try_lock(m_cache / "locks" / (key + ".build"), "removes " + key);
  if (!lock) refuse("it is being built");
  const auto path = m_cache / "locks" / (key + ".use");
  const Fd use = open_file(path, O_RDWR | O_CREAT, "cannot open the lock");
  if (!try_flock(use, LOCK_EX, path)) refuse("it is in use");
  // Out of sight first: a half-removed image is never taken for a whole one.
  auto removed = folder(key);
  removed += fmt::format("{}{}", k_building, ::getpid());
  rename_durably(folder(key), removed);
  remove_image_folder(removed, m_commands);
}

}  // namespace swaprig::image
