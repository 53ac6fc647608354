#include "drive/simulated_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"

namespace swaprig::drive {

namespace {

void set_size(const Fd& fd, const std::filesystem::path& path, Bytes size) {
  if (::ftruncate(fd.get(), static_cast<off_t>(size.count)) == 0) return;
  throw FileError("cannot make the simulated drive as large as it has to be,", path.string(), errno);
}

}  // namespace

SimulatedBytes SimulatedBytes::in_memory(Bytes size) {
  Fd fd(::memfd_create("swaprig-drive", MFD_CLOEXEC));
  if (!fd) throw FileError("cannot keep a simulated drive in", "memory", errno);
  const std::filesystem::path path = fmt::format("/proc/{}/fd/{}", ::getpid(), fd.get());
  set_size(fd, path, size);
  return {std::move(fd), nullptr, path};
}

SimulatedBytes SimulatedBytes::in_file(const std::filesystem::path& file, const std::string& serial, Bytes size) {
  auto claim = std::make_unique<FileClaim>(file, serial, size);
  auto fd = claim->create(0);
  set_size(fd, file, size);
  return {std::move(fd), std::move(claim), file};
}

void SimulatedBytes::clear(Bytes offset, Bytes size) const {
  if (::fallocate(m_fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset.count),
                  static_cast<off_t>(size.count)) == 0) {
    return;
  }
  throw FileError("cannot empty the simulated drive", m_path.string(), errno);
}

}  // namespace swaprig::drive
