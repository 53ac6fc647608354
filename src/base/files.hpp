#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace swaprig {

/// Owns one file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : m_fd(fd) {}
  Fd(Fd&& other) noexcept : m_fd(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd();

  int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }
  int release();

 private:
  int m_fd = -1;
};

/// open(2) with O_CLOEXEC; throws FileError that starts with `doing`.
Fd open_file(const std::filesystem::path& path, int flags, std::string_view doing, unsigned mode = 0644);

/// The whole file, at most `limit` bytes; throws FileError.
std::string read_file(const std::filesystem::path& path, Bytes limit = mib(64));

/// Nothing when the file cannot be read; for /proc and /sys.
std::optional<std::string> try_read_file(const std::filesystem::path& path, Bytes limit = mib(64));

/// The last `limit` bytes; empty when there is no such file.
std::string read_tail(const std::filesystem::path& path, Bytes limit);

/// Temporary file beside, fsync, rename, fsync of the folder: after a crash the old or the new text is there.
void write_file_durably(const std::filesystem::path& path, std::string_view text);

/// mkdir -p with mode 0700 for what is new; throws FileError.
void make_folders(const std::filesystem::path& path);

/// Nothing may be there, and nothing may go wrong: what stays behind is somebody else's to clean.
void remove_quietly(const std::filesystem::path& path);

void sync_folder(const std::filesystem::path& path);

/// A folder under TMPDIR, removed with its contents by the destructor.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view prefix = "swaprig");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

/// An exclusive flock(2) on a file that holds "PID WHAT"; released by the kernel when the process dies.
/// The file goes away with the lock.
class FileLock {
 public:
  ~FileLock();
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Nothing when somebody else holds it; then `holder(path)` says who.
  static std::optional<FileLock> try_lock(const std::filesystem::path& path, std::string_view what);
  static std::string holder(const std::filesystem::path& path);

 private:
  FileLock(Fd fd, std::filesystem::path path) : m_fd(std::move(fd)), m_path(std::move(path)) {}
  Fd m_fd;
  std::filesystem::path m_path;
};

/// Where things go at run time (design.md): `--state`, XDG folders, or /var for root.
struct Folders {
  std::filesystem::path state;
  std::filesystem::path cache;
};

Folders standard_folders(const std::optional<std::filesystem::path>& state_option);

}  // namespace swaprig
