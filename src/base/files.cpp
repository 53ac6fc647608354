#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig {
namespace {

namespace fs = std::filesystem;

/// False with errno set when a read fails or there is more than `limit`.
bool read_all(int fd, Bytes limit, std::string& text) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto n = ::read(fd, buffer.data(), buffer.size());
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > limit.count) {
      errno = EFBIG;
      return false;
    }
  }
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// A new file beside `path`; what a crash left under such a name is passed over.
std::pair<Fd, fs::path> open_beside(const fs::path& path) {
  for (int i = 0;; ++i) {
    auto temporary = folder_of(path) / fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), i);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0) return {Fd(fd), std::move(temporary)};
    if (errno != EEXIST) throw FileError("cannot write", path.string(), errno);
  }
}

[[noreturn]] void give_up(const fs::path& temporary, const fs::path& path, int error_number) {
  ::unlink(temporary.c_str());
  throw FileError("cannot write", path.string(), error_number);
}

std::optional<fs::path> folder_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || !fs::path(value).is_absolute()) return std::nullopt;
  return fs::path(value);
}

fs::path user_folder(const char* variable, const char* below_home) {
  if (auto folder = folder_variable(variable)) return *folder / "swaprig";
  if (auto home = folder_variable("HOME")) return *home / below_home / "swaprig";
  throw UsageError(
      fmt::format("cannot tell where to keep files: neither {} nor HOME is set; set HOME, or use "
                  "--state DIR and SWAPRIG_CACHE",
                  variable));
}

/// Whether the descriptor's file is still the one at the path.
bool is_at(int fd, const fs::path& path) {
  struct stat opened {}, there {};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_dev == there.st_dev &&
         opened.st_ino == there.st_ino;
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    Fd old(m_fd);
    m_fd = other.release();
  }
  return *this;
}

Fd::~Fd() {
  if (m_fd >= 0) ::close(m_fd);
}

int Fd::release() { return std::exchange(m_fd, -1); }

Fd open_file(const fs::path& path, int flags, std::string_view doing, unsigned mode) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (fd < 0) throw FileError(std::string(doing), path.string(), errno);
  return Fd(fd);
}

std::string read_file(const fs::path& path, Bytes limit) {
  const Fd fd = open_file(path, O_RDONLY, "cannot read");
  std::string text;
  if (!read_all(fd.get(), limit, text)) throw FileError("cannot read", path.string(), errno);
  return text;
}

std::optional<std::string> try_read_file(const fs::path& path, Bytes limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (!fd || !read_all(fd.get(), limit, text)) return std::nullopt;
  return text;
}

std::string read_tail(const fs::path& path, Bytes limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return {};
  const auto end = ::lseek(fd.get(), 0, SEEK_END);
  const auto length = static_cast<off_t>(limit.count);
  if (end > length) {
    ::lseek(fd.get(), end - length, SEEK_SET);
  } else {
    ::lseek(fd.get(), 0, SEEK_SET);
  }
  std::string text;
  read_all(fd.get(), limit, text);
  text.resize(std::min<std::size_t>(text.size(), limit.count));
  return text;
}

void write_file_durably(const fs::path& path, std::string_view text) {
  auto [fd, temporary] = open_beside(path);
  if (!write_all(fd.get(), text) || ::fsync(fd.get()) != 0) give_up(temporary, path, errno);
  if (::close(fd.release()) != 0) give_up(temporary, path, errno);
  if (::rename(temporary.c_str(), path.c_str()) != 0) give_up(temporary, path, errno);
  sync_folder(folder_of(path));
}

void make_folders(const fs::path& path) {
  fs::path made;
  for (const auto& part : path) {
    made /= part;
    if (::mkdir(made.c_str(), 0700) == 0) continue;
    const int error_number = errno;
    std::error_code ignored;
    if (!fs::is_directory(made, ignored)) throw FileError("cannot make the folder", made.string(), error_number);
  }
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

void sync_folder(const fs::path& path) {
  const Fd fd = open_file(path, O_RDONLY | O_DIRECTORY, "cannot open the folder");
  if (::fsync(fd.get()) != 0 && errno != EINVAL) throw FileError("cannot sync the folder", path.string(), errno);
}

TemporaryFolder::TemporaryFolder(std::string_view prefix) {
  const auto base = folder_variable("TMPDIR").value_or("/tmp");
  std::string name = (base / fmt::format("{}-XXXXXX", prefix)).string();
  if (::mkdtemp(name.data()) == nullptr) throw FileError("cannot make a temporary folder", name, errno);
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

/// Whoever held the lock before may remove its file between our open and our flock: then it locks nothing.
std::optional<FileLock> FileLock::try_lock(const fs::path& path, std::string_view what) {
  for (;;) {
    Fd fd = open_file(path, O_RDWR | O_CREAT, "cannot open the lock");
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      throw FileError("cannot lock", path.string(), errno);
    }
    if (!is_at(fd.get(), path)) continue;
    FileLock lock(std::move(fd), path);
    const auto words = fmt::format("{} {}\n", ::getpid(), what);
    if (::ftruncate(lock.m_fd.get(), 0) != 0 || !write_all(lock.m_fd.get(), words)) {
      throw FileError("cannot write the lock", path.string(), errno);
    }
    return lock;
  }
}

FileLock::~FileLock() {
  if (m_fd) ::unlink(m_path.c_str());  // still held: nobody can take it between
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  FileLock old(std::move(*this));
  m_fd = std::move(other.m_fd);
  m_path = std::move(other.m_path);
  return *this;
}

std::string FileLock::holder(const fs::path& path) { return printable_line(trim(read_tail(path, Bytes{4096}))); }

Folders standard_folders(const std::optional<fs::path>& state_option) {
  const bool root = ::geteuid() == 0;
  Folders folders;
  if (state_option) {
    folders.state = fs::absolute(*state_option);
  } else {
    folders.state = root ? fs::path("/var/lib/swaprig") : user_folder("XDG_STATE_HOME", ".local/state");
  }
  if (const auto cache = folder_variable("SWAPRIG_CACHE")) {
    folders.cache = *cache;
  } else {
    folders.cache = root ? fs::path("/var/cache/swaprig") : user_folder("XDG_CACHE_HOME", ".cache");
  }
  return folders;
}

}  // namespace swaprig
