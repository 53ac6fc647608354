#include "drive/backing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/handle.hpp"

namespace swaprig::drive {

namespace {

constexpr std::size_t k_piece = std::size_t{4} << 20U;
constexpr std::uint64_t k_map_window = std::uint64_t{1} << 30U;  // address space and page vector stay small
constexpr std::uint64_t k_whole_limit = std::uint64_t{64} << 30U;
constexpr std::uint64_t k_sample = std::uint64_t{1} << 20U;
constexpr long k_cachestat = 451;  // on every architecture; newer than Debian 12's headers
constexpr int k_drop_attempts = 50;
constexpr std::chrono::milliseconds k_drop_pause{20};

Bytes free_space(const std::filesystem::path& path) {
  struct statvfs info {};
  if (::statvfs(path.c_str(), &info) != 0) throw FileError("cannot ask for the free space of", path.string(), errno);
  return Bytes{info.f_bavail} * info.f_frsize;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

[[noreturn]] void give_up_writing(const std::filesystem::path& path, Bytes size, int error_number) {
  if (error_number != ENOSPC && error_number != EDQUOT)
    throw FileError("cannot write the drive", path.string(), error_number);
  throw HostError(
      fmt::format("cannot write the drive {}: no space left: {} needed, {} free after giving up; make room, "
                  "make the drive smaller, or use --state on another file system",
                  path.string(), rounded(size), rounded(free_space(folder_of(path)))));
}

struct stat status_of(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) throw FileError("cannot look at the drive", path.string(), errno);
  return info;
}

/// Of a plain file or a block device.
std::uint64_t size_of(int fd, const std::filesystem::path& path) {
  const auto info = status_of(path);
  if (!S_ISBLK(info.st_mode)) return static_cast<std::uint64_t>(info.st_size);
  std::uint64_t size = 0;
  if (::ioctl(fd, BLKGETSIZE64, &size) != 0) throw FileError("cannot ask for the size of", path.string(), errno);
  return size;
}

/// cachestat(2) of Linux 6.5 on the whole of it; nothing where the kernel does not have it.
std::optional<std::uint64_t> cachestat_pages(int fd) {
  struct {
    std::uint64_t offset, length;  // both 0: all of it
  } range{0, 0};
  struct {
    std::uint64_t cache, dirty, writeback, evicted, recently_evicted;
  } counts{};
  if (::syscall(k_cachestat, fd, &range, &counts, 0U) != 0) return std::nullopt;
  return counts.cache;
}

/// One mapped window of a file.
class Window {
 public:
  Window(int fd, std::uint64_t offset, std::size_t size, const std::filesystem::path& path)
      : m_address(::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(offset))), m_size(size) {
    if (m_address == MAP_FAILED) throw FileError("cannot map the drive", path.string(), errno);
  }
  ~Window() { ::munmap(m_address, m_size); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Mapping alone reads nothing in: mincore tells of pages that were cached before.
  std::uint64_t cached_pages(std::vector<unsigned char>& pages, const std::filesystem::path& path) const {
    if (::mincore(m_address, m_size, pages.data()) != 0) {
      throw FileError("cannot ask for the cached pages of", path.string(), errno);
    }
    return static_cast<std::uint64_t>(
        std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1U) != 0; }));
  }

 private:
  void* m_address;
  std::size_t m_size;
};

}  // namespace

void require_free_space(const std::filesystem::path& folder, Bytes needed) {
  const auto free = free_space(folder);
  if (needed <= free) return;
  throw HostError(
      fmt::format("a drive in {} needs {}, but {} are free; make room, make the drive smaller, or use "
                  "--state on another file system",
                  folder.string(), rounded(needed), rounded(free)));
}

void write_zeros(int fd, Bytes size, const std::filesystem::path& path, const std::function<void(Bytes)>& progress,
                 Bytes offset) {
  const std::unique_ptr<void, FreeWith<&std::free>> zeros(std::aligned_alloc(k_piece, k_piece));
  if (!zeros) throw std::bad_alloc();
  std::fill_n(static_cast<char*>(zeros.get()), k_piece, '\0');

  for (std::uint64_t done = 0; done < size.count;) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(k_piece, size.count - done));
    const auto written = ::pwrite(fd, zeros.get(), length, static_cast<off_t>(offset.count + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up_writing(path, size, errno);
    if (written == 0) give_up_writing(path, size, ENOSPC);
    done += static_cast<std::uint64_t>(written);
    progress(Bytes{done});
  }
}

void reserve_blocks(int fd, Bytes size, const std::filesystem::path& path) {
  // fallocate(2), not posix_fallocate(3): where the file system cannot, glibc would write single bytes, which O_DIRECT
  // refuses.
  while (::fallocate(fd, 0, 0, static_cast<off_t>(size.count)) != 0) {
    if (errno == EINTR) continue;
    if (errno == EOPNOTSUPP) return;
    give_up_writing(path, size, errno);
  }
}

void require_uncached(const std::filesystem::path& path, const char* moment) {
  const auto cached = cached_bytes(path);
  if (cached.count == 0) return;
  throw HostError(
      fmt::format("the file system of {} keeps {} of it in the host's memory {}, although it took O_DIRECT; "
                  "runs there would measure that memory: use --state on a file system with real O_DIRECT "
                  "(ext4, xfs), not tmpfs",
                  path.string(), rounded(cached), moment));
}

Bytes cached_bytes(const std::filesystem::path& path) {
  const auto fd = open_file(path, O_RDONLY, "cannot open the drive");
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  if (const auto cached = cachestat_pages(fd.get())) return Bytes{*cached * page};
  const auto size = size_of(fd.get(), path);
  // Each GiB costs about 10 ms: the pages are looked at one by one.
  const bool sampled = S_ISBLK(status_of(path).st_mode) && size > k_whole_limit;
  const auto window = sampled ? k_sample : k_map_window;
  const auto step = sampled ? size / (k_whole_limit / k_sample) / k_sample * k_sample : window;
  std::uint64_t cached = 0;
  const auto look = [&](std::uint64_t offset) {
    const auto length = static_cast<std::size_t>(std::min(window, size - offset));
    std::vector<unsigned char> pages((length + page - 1) / page);
    return Window(fd.get(), offset, length, path).cached_pages(pages, path);
  };
  for (std::uint64_t offset = 0; offset < size; offset += step) cached += look(offset);
  if (sampled) cached = cached * (step / window) + look((size - 1) / k_sample * k_sample);
  return Bytes{cached * page};
}

Bytes allocated_bytes(const std::filesystem::path& path) {
  return Bytes{static_cast<std::uint64_t>(status_of(path).st_blocks)} * 512;  // st_blocks counts in 512 everywhere
}

void drop_cached_pages(const std::filesystem::path& path) {
  const auto fd = open_file(path, O_RDWR, "cannot open the drive");
  if (::fdatasync(fd.get()) != 0) throw FileError("cannot sync the drive", path.string(), errno);
  for (int attempt = 0; attempt < k_drop_attempts; ++attempt) {
    if (const int error = ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED); error != 0) {
      throw FileError("cannot drop the cached pages of", path.string(), error);
    }
    if (cached_bytes(path).count == 0) return;
    std::this_thread::sleep_for(k_drop_pause);  // pages under write-back, or held for a moment by another reader
  }
  throw HostError(
      fmt::format("{} of the drive {} stay in the host's page cache; see with fuser whether another program "
                  "has it open",
                  rounded(cached_bytes(path)), path.string()));
}

}  // namespace swaprig::drive
