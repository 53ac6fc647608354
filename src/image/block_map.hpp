#pragma once

#include <filesystem>
#include <vector>

#include "base/bytes.hpp"
#include "image/image_store.hpp"

namespace swaprig::image {

/// Which blocks of an ext4 file system matter.
struct BlockMap {
  Bytes size;
  std::vector<Range> used;    ///< all that its block bitmap calls used
  std::vector<Range> needed;  ///< of these, what has to be on a drive that held something else before: not the parts of
                              ///< inode tables and the bitmaps that the group descriptors call uninitialised, which
                              ///< neither the kernel nor e2fsck reads before writing them
  std::vector<Range> data;    ///< of these, what holds files and directories: no superblocks, descriptors, bitmaps,
                              ///< inode tables, journal

  friend bool operator==(const BlockMap&, const BlockMap&) = default;
};

/// Reads it through libext2fs; throws Error that names the file.
BlockMap read_block_map(const std::filesystem::path& file);

/// `from` without `what`; both sorted and without overlaps. Pure.
std::vector<Range> without(const std::vector<Range>& from, const std::vector<Range>& what);

/// Closes the smallest gaps between sorted ranges until at most `limit` are left. Pure.
std::vector<Range> merged(std::vector<Range> ranges, std::size_t limit);

}  // namespace swaprig::image
