#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/bytes.hpp"
#include "base/command.hpp"

namespace swaprig::image {

inline constexpr Bytes k_block = kib(4);

/// The ext4 that a root file system becomes at one size: made for a guest that is quiet after mounting, and with
/// little to write besides the files (every byte of it is poured anew before each run).
struct FileSystemPlan {
  Bytes size;  ///< whole blocks of 4 KiB
  std::uint64_t inodes = 0;
  Bytes journal;
  std::string uuid;  ///< from the image's digest: the same image gives the same file system

  friend bool operator==(const FileSystemPlan&, const FileSystemPlan&) = default;
};

/// Throws HostError with both sizes when `data` with the file system's own needs is larger than `size`.
/// An inode for every 64 KiB up to 256k of them: 64 MB of inode tables on a drive of any size.
FileSystemPlan plan_file_system(const std::string& image, const std::string& digest, Bytes data,
                                std::uint64_t image_inodes, Bytes size);

/// mke2fs with every feature named, so that the host's mke2fs.conf does not matter.
Command mke2fs_command(const FileSystemPlan& plan, const std::filesystem::path& tree,
                       const std::filesystem::path& file);

/// Unpacks the tar below `work` and makes the file system from it, sparse, in `file`.
void make_file_system(const FileSystemPlan& plan, const std::filesystem::path& tar, const std::filesystem::path& work,
                      const std::filesystem::path& file, CommandRunner& commands);

}  // namespace swaprig::image
