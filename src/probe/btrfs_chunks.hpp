#pragma once

// Where a file's bytes are on the drive when its file system is btrfs: FIEMAP tells addresses of the file system's own
// there, and chunks say which bytes of the drive those are.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// A range of addresses of the file system, and where its first copy begins on the drive.
struct BtrfsChunk {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t position = 0;
};

struct ByteRange {
  std::uint64_t position = 0;
  std::uint64_t size = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// All chunks of the file system that holds the open file; needs root. Throws Failure, also for one on several drives,
/// where a chunk is no range of one of them.
std::vector<BtrfsChunk> read_btrfs_chunks(int file);

/// The range of the drive's bytes that each part of a range of addresses is. Throws Failure when no chunk has it. Pure.
std::vector<ByteRange> on_drive(ByteRange addresses, const std::vector<BtrfsChunk>& chunks);

/// The device behind the mount point that the absolute path lies below: "/dev/vda3". `mounts` is the text of
/// /proc/self/mountinfo; empty when it has none. Pure.
std::string device_of_path(std::string_view mounts, std::string_view path);

}  // namespace swaprig::probe
