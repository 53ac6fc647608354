#include "drive/neighbours.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/handle.hpp"
#include "base/text.hpp"
#include "drive/backing_file.hpp"

namespace swaprig::drive {

namespace {

constexpr std::uint64_t k_edge = std::uint64_t{1} << 20U;

std::string digest_of(int fd, std::uint64_t from, std::uint64_t to, const std::string& path) {
  if (from == to) return "none";
  const std::unique_ptr<void, FreeWith<&std::free>> buffer(std::aligned_alloc(k_direct_alignment, k_edge));
  if (!buffer) throw std::bad_alloc();
  std::uint64_t done = 0;
  while (done < to - from) {
    const auto n =
        ::pread(fd, static_cast<char*>(buffer.get()) + done, to - from - done, static_cast<off_t>(from + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw FileError("cannot read beside the partition", path, errno);
    if (n == 0) throw HostError(path + " ends before its end");
    done += static_cast<std::uint64_t>(n);
  }
  return sha256({static_cast<const char*>(buffer.get()), static_cast<std::size_t>(to - from)});
}

}  // namespace

std::string edges_of(const BlockDevice& partition, const BlockDevice& drive) {
  const auto fd = open_file(drive.path, O_RDONLY | O_DIRECT, "cannot open the drive");
  const auto start = partition.start.count;
  const auto end = start + partition.size.count;
  return digest_of(fd.get(), start - std::min(start, k_edge), start, drive.path) + " " +
         digest_of(fd.get(), end, std::min(end + k_edge, drive.size.count), drive.path);
}

}  // namespace swaprig::drive
