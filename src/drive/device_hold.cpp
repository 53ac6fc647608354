#include "drive/device_hold.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/error.hpp"

namespace swaprig::drive {

namespace {

// udev holds a shared lock while it looks at a device that has just appeared or was just closed.
constexpr int k_attempts = 20;
constexpr std::chrono::milliseconds k_pause{50};

/// Empty when the lock is ours.
std::string flock_error(int fd) {
  for (int attempt = 0; attempt < k_attempts; ++attempt) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return {};
    if (errno != EWOULDBLOCK) return std::strerror(errno);
    std::this_thread::sleep_for(k_pause);
  }
  return "unknown (flock)";
}

}  // namespace

DeviceHold::DeviceHold(const DevicePlace& place, const std::filesystem::path& lock_folder) : m_path(place.path) {
  make_folders(lock_folder);
  const auto lock_file = lock_folder / fmt::format("drive-{}-{}.lock", place.whole.major, place.whole.minor);
  auto lock = FileLock::try_lock(lock_file, "drive " + place.whole_name);
  if (!lock) {
    m_refusals.push_back(locked_elsewhere(FileLock::holder(lock_file)));
    return;
  }
  m_lock.push_back(std::move(*lock));
  m_whole = Fd(::open(place.whole_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!m_whole) {
    m_refusals.push_back(not_held(place.whole_path, std::strerror(errno)));
    return;
  }
  if (const auto error = flock_error(m_whole.get()); !error.empty()) {
    m_refusals.push_back(locked_elsewhere(error));
    return;
  }
  m_exclusive = Fd(::open(m_path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  if (!m_exclusive) m_refusals.push_back(errno == EBUSY ? held_exclusively() : not_held(m_path, std::strerror(errno)));
}

void DeviceHold::let_go() { m_exclusive = Fd(); }

void DeviceHold::take_again() {
  m_exclusive = Fd(::open(m_path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  if (!m_exclusive)
    throw FileError("cannot hold for ourselves (another program took it while it was made ready)", m_path, errno);
}

}  // namespace swaprig::drive
