#include "image/pour.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <optional>

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
        m_data{zeroed_buffer(), zeroed_buffer()},
        m_zeros(zeroed_buffer()),
        m_source_size(std::filesystem::file_size(source)) {}

  /// Each piece is read while the one before it is written.
  void all(const std::vector<Range>& ranges) {
    std::future<const char*> ready;
    std::optional<Range> piece;
    for (const auto& next : pieces_of(ranges)) {
      auto reading = std::async(std::launch::async, [this, next, buffer = free_buffer()] { return content(next, buffer); });
      if (piece) write(ready.get(), *piece);
      piece = next;
      ready = std::move(reading);
    }
    if (piece) write(ready.get(), *piece);
  }

  Bytes finish() {
    if (::fsync(m_out.get()) != 0) throw FileError("cannot sync", m_target.path.string(), errno);
    return m_written;
  }

 private:
  std::vector<Range> pieces_of(const std::vector<Range>& ranges) const {
    std::vector<Range> pieces;
    for (const auto& range : ranges) {
      if ((range.offset + range.size).count > m_source_size) {
        throw FileError("cannot read the image: it ends early", m_source_path.string(), EIO);
      }
      for (Bytes done; done < range.size; done = done + Bytes{k_piece}) {
        pieces.push_back({range.offset + done, std::min(Bytes{k_piece}, range.size - done)});
      }
    }
    return pieces;
  }

  /// The one that is not being written.
  char* free_buffer() {
    m_turn = 1 - m_turn;
    return m_data[m_turn].get();
  }

  /// What the piece holds: in `buffer`, or the zeros where the source has a hole.
  const char* content(const Range& piece, char* buffer) const {
    if (is_hole(piece.offset.count, piece.size.count)) return m_zeros.get();
    std::uint64_t done = 0;
    while (done < piece.size.count) {
      const auto n = ::pread(m_source.get(), buffer + done, piece.size.count - done,
                             static_cast<off_t>(piece.offset.count + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw FileError("cannot read the image", m_source_path.string(), errno);
      if (n == 0) throw FileError("cannot read the image: it ends early", m_source_path.string(), EIO);
      done += static_cast<std::uint64_t>(n);
    }
    return buffer;
  }

  bool is_hole(std::uint64_t position, std::uint64_t length) const {
    const auto data = ::lseek(m_source.get(), static_cast<off_t>(position), SEEK_DATA);
    if (data < 0 && errno != ENXIO) throw FileError("cannot read the image", m_source_path.string(), errno);
    return data < 0 || static_cast<std::uint64_t>(data) >= position + length;
  }

  void write(const char* buffer, const Range& piece) {
    std::uint64_t done = 0;
    while (done < piece.size.count) {
      const auto n = ::pwrite(m_out.get(), buffer + done, piece.size.count - done,
                              static_cast<off_t>((m_target.offset + piece.offset).count + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw FileError("cannot fill", m_target.path.string(), n < 0 ? errno : ENOSPC);
      done += static_cast<std::uint64_t>(n);
    }
    m_written = m_written + piece.size;
  }

  std::filesystem::path m_source_path;
  Target m_target;
  Fd m_source;
  Fd m_out;
  std::array<Buffer, 2> m_data;
  std::size_t m_turn = 0;
  Buffer m_zeros;
  std::uint64_t m_source_size;
  Bytes m_written;
};

}  // namespace

Bytes pour(const std::filesystem::path& source, const std::vector<Range>& ranges, const Target& target) {
  SWAPRIG_ASSERT(target.offset.count % k_alignment == 0);
  Pourer pourer(source, target);
  pourer.all(ranges);
  return pourer.finish();
}

}  // namespace swaprig::image
