#include "simdrive/plugin/backing.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace swaprig::simdrive {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_push_interval{50};
constexpr std::uint64_t k_look_bytes = 16U << 20U;
constexpr std::chrono::nanoseconds k_slow = std::chrono::milliseconds(10);

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  throw std::runtime_error(doing + " " + path + ": " + std::strerror(errno));
}

int open_backing(const std::string& path, std::uint64_t size) {
  const int fd = path.empty() ? memfd_create("swaprig-simdrive", MFD_CLOEXEC)
                              : open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::string name = path.empty() ? "memory" : path;
  if (fd < 0) fail("opening the backing", name);
  struct stat status = {};
  if (fstat(fd, &status) != 0) fail("looking at the backing", name);
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("the backing " + name + " is not a regular file");
  if (status.st_size != 0 && static_cast<std::uint64_t>(status.st_size) != size) {
    throw std::runtime_error("the backing " + name + " has " + std::to_string(status.st_size) +
                             " bytes, but the drive has " + std::to_string(size) + ": remove it, or use another file");
  }
  if (ftruncate(fd, static_cast<off_t>(size)) != 0) fail("making the backing as large as the drive,", name);
  return fd;
}

}  // namespace

Backing::Backing(const std::string& path, std::uint64_t size, std::uint64_t room)
    : m_fd(open_backing(path, size)), m_room(room) {
  struct statfs status = {};
  m_in_memory = fstatfs(m_fd, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

Backing::~Backing() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopping = true;
  }
  m_wake.notify_all();
  if (m_pusher.joinable()) m_pusher.join();
  close(m_fd);
}

void Backing::start() {
  if (!m_in_memory) m_pusher = std::thread([this] { push_dirty_pages(); });
}

int Backing::read(void* buffer, std::uint64_t count, std::uint64_t offset) {
  return timed([&] {
    auto* to = static_cast<char*>(buffer);
    while (count > 0) {
      const ssize_t got = pread(m_fd, to, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno;
      if (got == 0) {
        std::memset(to, 0, count);
        return 0;
      }
      to += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::uint64_t>(got);
    }
    return 0;
  });
}

bool Backing::is_full(std::uint64_t count) {
  if (m_room == 0) return false;
  if (m_since_look.fetch_add(count, std::memory_order_relaxed) + count < k_look_bytes && !m_room_used) return false;
  m_since_look = 0;
  struct stat status = {};
  if (fstat(m_fd, &status) != 0) return false;
  m_room_used = static_cast<std::uint64_t>(status.st_blocks) * 512 >= m_room;
  return m_room_used;
}

int Backing::write(const void* buffer, std::uint64_t count, std::uint64_t offset) {
  m_unpushed.fetch_add(count, std::memory_order_relaxed);
  return timed([&] {
    if (is_full(count)) return ENOSPC;
    const auto* from = static_cast<const char*>(buffer);
    while (count > 0) {
      const ssize_t put = pwrite(m_fd, from, count, static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return errno;
      from += put;
      offset += static_cast<std::uint64_t>(put);
      count -= static_cast<std::uint64_t>(put);
    }
    return 0;
  });
}

int Backing::zero(std::uint64_t count, std::uint64_t offset) {
  const int result = trim(count, offset);
  return result == EOPNOTSUPP ? write_zeroes(count, offset) : result;
}

int Backing::trim(std::uint64_t count, std::uint64_t offset) {
  return fallocate(m_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                   static_cast<off_t>(count)) == 0
             ? 0
             : errno;
}

Backing::Counters Backing::counters() const { return {m_errors, m_full, m_slow, m_longest}; }

template <typename Call>
int Backing::timed(Call call) {
  const auto begin = Clock::now();
  const int result = call();
  const auto took = Clock::now() - begin;
  if (result != 0) ++m_errors;
  if (result == ENOSPC || result == EDQUOT) ++m_full;
  if (took > k_slow) ++m_slow;
  const auto nanoseconds = static_cast<std::uint64_t>(took.count());
  if (nanoseconds > m_longest.load(std::memory_order_relaxed)) m_longest = nanoseconds;
  return result;
}

int Backing::write_zeroes(std::uint64_t count, std::uint64_t offset) {
  const std::vector<char> zeroes(std::min<std::uint64_t>(count, 1U << 20U));
  while (count > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(count, zeroes.size());
    if (const int error = write(zeroes.data(), part, offset); error != 0) return error;
    offset += part;
    count -= part;
  }
  return 0;
}

void Backing::push_dirty_pages() {
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, k_push_interval, [this] { return m_stopping; })) {
    if (m_unpushed.exchange(0, std::memory_order_relaxed) == 0) continue;
    lock.unlock();
    static_cast<void>(sync_file_range(m_fd, 0, 0, SYNC_FILE_RANGE_WRITE));
    lock.lock();
  }
}

}  // namespace swaprig::simdrive
