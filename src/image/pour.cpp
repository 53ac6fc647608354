#include "image/pour.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/assert.hpp"
#include "base/files.hpp"
#include "base/handle.hpp"

namespace swaprig::image {
namespace {

constexpr std::size_t k_alignment = 4096;
constexpr std::size_t k_piece = std::size_t{4} << 20U;

using Buffer = std::unique_ptr<char, FreeWith<&std::free>>;

Buffer zeroed_buffer() {
  Buffer buffer(static_cast<char*>(std::aligned_alloc(k_alignment, k_piece)));
  SWAPRIG_ASSERT(buffer != nullptr);
  std::memset(buffer.get(), 0, k_piece);
  return buffer;
}

Fd open_target(const std::filesystem::path& path, bool direct) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | (direct ? O_DIRECT : 0)));
  if (fd) return fd;
  if (errno == EINVAL) {
    throw HostError(
        fmt::format("cannot fill {}: its file system has no O_DIRECT, so the host would cache the drive; "
                    "put it on ext4, XFS or btrfs",
                    path.string()));
  }
  throw FileError("cannot fill", path.string(), errno);
}

class Pourer {
 public:
  Pourer(const std::filesystem::path& source, const Target& target)
      : m_source_path(source),
        m_target(target),
        m_source(open_file(source, O_RDONLY, "cannot read the image")),
        m_out(open_target(target.path, target.direct)),
        m_data(zeroed_buffer()),
        m_zeros(zeroed_buffer()),
        m_source_size(std::filesystem::file_size(source)) {}

  void range(const Range& range) {
    auto position = range.offset.count;
    const auto end = position + range.size.count;
    if (end > m_source_size) throw FileError("cannot read the image: it ends early", m_source_path.string(), EIO);
    while (position < end) {
      const auto length = std::min<std::uint64_t>(k_piece, end - position);
      if (is_hole(position, length)) {
        write(m_zeros.get(), position, length);
      } else {
        read(position, length);
        write(m_data.get(), position, length);
      }
      position += length;
    }
  }

  Bytes finish() {
    if (::fsync(m_out.get()) != 0) throw FileError("cannot sync", m_target.path.string(), errno);
    return m_written;
  }

 private:
  bool is_hole(std::uint64_t position, std::uint64_t length) const {
    const auto data = ::lseek(m_source.get(), static_cast<off_t>(position), SEEK_DATA);
    if (data < 0 && errno != ENXIO) throw FileError("cannot read the image", m_source_path.string(), errno);
    return data < 0 || static_cast<std::uint64_t>(data) >= position + length;
  }

  void read(std::uint64_t position, std::uint64_t length) {
    std::uint64_t done = 0;
    while (done < length) {
      const auto n = ::pread(m_source.get(), m_data.get() + done, length - done, static_cast<off_t>(position + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw FileError("cannot read the image", m_source_path.string(), errno);
      if (n == 0) throw FileError("cannot read the image: it ends early", m_source_path.string(), EIO);
      done += static_cast<std::uint64_t>(n);
    }
  }

  void write(const char* buffer, std::uint64_t position, std::uint64_t length) {
    std::uint64_t done = 0;
    while (done < length) {
      const auto n = ::pwrite(m_out.get(), buffer + done, length - done,
                              static_cast<off_t>(m_target.offset.count + position + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw FileError("cannot fill", m_target.path.string(), n < 0 ? errno : ENOSPC);
      done += static_cast<std::uint64_t>(n);
    }
    m_written = m_written + Bytes{length};
  }

  std::filesystem::path m_source_path;
  Target m_target;
  Fd m_source;
  Fd m_out;
  Buffer m_data;
  Buffer m_zeros;
  std::uint64_t m_source_size;
  Bytes m_written;
};

}  // namespace

Bytes pour(const std::filesystem::path& source, const std::vector<Range>& ranges, const Target& target) {
  SWAPRIG_ASSERT(target.offset.count % k_alignment == 0);
  Pourer pourer(source, target);
  for (const auto& range : ranges) pourer.range(range);
  return pourer.finish();
}

}  // namespace swaprig::image
