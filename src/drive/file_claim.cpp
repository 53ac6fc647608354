#include "drive/file_claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

namespace fs = std::filesystem;

constexpr const char* k_marker_word = "swaprig drive";

fs::path with_suffix(const fs::path& file, std::string_view suffix) {
  auto path = file;
  path += suffix;
  return path;
}

FileLock lock(const fs::path& path, const fs::path& file) {
  auto lock = FileLock::try_lock(path, "drive " + file.filename().string());
  if (lock) return std::move(*lock);
  throw HostError(fmt::format("the drive {} is in use by process {}; wait until it has ended, or stop it",
                              file.string(), FileLock::holder(path)));
}

/// What lies at a path. An inode number alone is given again once its file is gone; with the time of birth it is not.
struct Found {
  bool regular = false;
  bool empty = false;
  std::string identity;
};

std::optional<Found> look_at(const fs::path& path) {
  struct statx info {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &info) == 0) {
    return Found{S_ISREG(info.stx_mode), info.stx_size == 0,
                 fmt::format("inode {} born {}.{:09}", info.stx_ino, info.stx_btime.tv_sec, info.stx_btime.tv_nsec)};
  }
  if (errno == ENOENT) return std::nullopt;
  throw FileError("cannot look at", path.string(), errno);
}

/// Ours: the marker names this very file, or swaprig was killed between making the empty file and noting which it is.
bool is_ours(const Found& found, const fs::path& marker) {
  const auto text = try_read_file(marker, kib(64));
  const auto json = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!found.regular || !json.is_object() || json.value("kind", nlohmann::json()) != k_marker_word) return false;
  const auto identity = json.value("file", nlohmann::json());
  return identity.is_null() ? found.empty : identity == found.identity;
}

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw FileError("cannot remove", path.string(), errno);
}

}  // namespace

FileClaim::FileClaim(fs::path file, std::string serial, Bytes size)
    : m_file(std::move(file)), m_serial(std::move(serial)), m_size(size), m_lock(lock(lock_file(), m_file)) {
  const auto existing = look_at(m_file);
  if (existing && !is_ours(*existing, marker())) {
    throw HostError(fmt::format("{} refused: exists and was not made by swaprig; move it away or use another --state",
                                m_file.string()));
  }
  if (existing) remove_file(m_file);
  remove_file(marker());
}

FileClaim::~FileClaim() {
  if (m_created) remove_quietly(m_file);
  remove_quietly(marker());
}

Fd FileClaim::create(int flags) {
  write_marker(nullptr);
  auto fd = open_file(m_file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | flags, "cannot make the drive", 0600);
  m_created = true;
  const auto made = look_at(m_file);
  if (!made) throw HostError(fmt::format("the drive {} went away while it was made", m_file.string()));
  write_marker(made->identity);
  return fd;
}

void FileClaim::write_marker(const nlohmann::json& identity) const {
  const nlohmann::json json = {
      {"kind", k_marker_word}, {"serial", m_serial}, {"size", m_size.count}, {"pid", ::getpid()}, {"file", identity}};
  write_file_durably(marker(), json.dump() + "\n");
}

fs::path FileClaim::marker() const { return with_suffix(m_file, ".swaprig"); }
fs::path FileClaim::lock_file() const { return with_suffix(m_file, ".lock"); }

}  // namespace swaprig::drive
