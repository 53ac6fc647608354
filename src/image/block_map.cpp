#include "image/block_map.hpp"

#include <ext2fs/ext2fs.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/handle.hpp"

extern "C" {
#include <et/com_err.h>  // has no such guard of its own
}

namespace swaprig::image {
namespace {

using FileSystem = std::unique_ptr<struct_ext2_filsys, FreeWith<&ext2fs_free>>;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : m_file(file) {
    ext2_filsys raw = nullptr;
    check(ext2fs_open(file.c_str(), EXT2_FLAG_64BITS, 0, 0, unix_io_manager, &raw));
    m_fs.reset(raw);
    // A plain bitmap of a 2 TB file system has 61 MiB, and zeroing it takes a third of a fill.
    raw->default_bitmap_type = EXT2FS_BMAP64_RBTREE;
    check(ext2fs_read_block_bitmap(raw));
    m_block = raw->blocksize;
  }

  BlockMap map() {
    BlockMap map;
    map.size = Bytes{ext2fs_blocks_count(m_fs->super) * m_block};
    map.used = used();
    map.needed = without(map.used, sorted(uninitialised()));
    map.data = without(map.used, sorted(metadata()));
    return map;
  }

 private:
  void check(errcode_t code) const {
    if (code == 0) return;
    throw Error(fmt::format("cannot read the file system in {}: {}; remove the image and build it again",
                            m_file.string(), error_message(code)));
  }

  Range range(blk64_t start, blk64_t count) const { return {Bytes{start * m_block}, Bytes{count * m_block}}; }

  std::vector<Range> used() const {
    std::vector<Range> ranges;
    const blk64_t last = ext2fs_blocks_count(m_fs->super) - 1;
    blk64_t start = 0;
    while (start <= last && ext2fs_find_first_set_block_bitmap2(m_fs->block_map, start, last, &start) == 0) {
      blk64_t end = last + 1;
      if (ext2fs_find_first_zero_block_bitmap2(m_fs->block_map, start, last, &end) != 0) end = last + 1;
      ranges.push_back(range(start, end - start));
      start = end;
    }
    return ranges;
  }

  static std::vector<Range> sorted(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.offset < b.offset; });
    return ranges;
  }

  std::vector<Range> uninitialised() const {
    std::vector<Range> ranges;
    if (ext2fs_has_group_desc_csum(m_fs.get()) == 0) return ranges;
    const auto inodes_per_block = EXT2_INODES_PER_BLOCK(m_fs->super);
    for (dgrp_t group = 0; group < m_fs->group_desc_count; ++group) {
      const auto is = [&](std::uint16_t flag) { return ext2fs_bg_flags_test(m_fs.get(), group, flag) != 0; };
      if (is(EXT2_BG_BLOCK_UNINIT)) ranges.push_back(range(ext2fs_block_bitmap_loc(m_fs.get(), group), 1));
      if (is(EXT2_BG_INODE_UNINIT)) ranges.push_back(range(ext2fs_inode_bitmap_loc(m_fs.get(), group), 1));
      const auto taken = m_fs->super->s_inodes_per_group - ext2fs_bg_itable_unused(m_fs.get(), group);
      const auto blocks = (taken + inodes_per_block - 1) / inodes_per_block;
      if (blocks < m_fs->inode_blocks_per_group) {
        ranges.push_back(
            range(ext2fs_inode_table_loc(m_fs.get(), group) + blocks, m_fs->inode_blocks_per_group - blocks));
      }
    }
    return ranges;
  }

  std::vector<Range> metadata() {
    std::vector<Range> ranges;
    for (dgrp_t group = 0; group < m_fs->group_desc_count; ++group) {
      blk64_t super = 0;
      blk64_t old_descriptors = 0;
      blk64_t new_descriptors = 0;
      blk_t descriptor_blocks = 0;
      check(
          ext2fs_super_and_bgd_loc2(m_fs.get(), group, &super, &old_descriptors, &new_descriptors, &descriptor_blocks));
      if (super != 0 || group == 0) ranges.push_back(range(super, 1));
      if (old_descriptors != 0) ranges.push_back(range(old_descriptors, descriptor_blocks));
      if (new_descriptors != 0) ranges.push_back(range(new_descriptors, 1));
      ranges.push_back(range(ext2fs_block_bitmap_loc(m_fs.get(), group), 1));
      ranges.push_back(range(ext2fs_inode_bitmap_loc(m_fs.get(), group), 1));
      ranges.push_back(range(ext2fs_inode_table_loc(m_fs.get(), group), m_fs->inode_blocks_per_group));
    }
    add_journal(ranges);
    return ranges;
  }

  void add_journal(std::vector<Range>& ranges) {
    if (m_fs->super->s_journal_inum == 0) return;
    std::vector<blk64_t> blocks;
    const auto collect = [](ext2_filsys, blk64_t* block, e2_blkcnt_t, blk64_t, int, void* into) {
      static_cast<std::vector<blk64_t>*>(into)->push_back(*block);
      return 0;
    };
    check(ext2fs_block_iterate3(m_fs.get(), m_fs->super->s_journal_inum, BLOCK_FLAG_READ_ONLY, nullptr, collect,
                                &blocks));
    for (const auto block : blocks) ranges.push_back(range(block, 1));
  }

  std::filesystem::path m_file;
  FileSystem m_fs;
  std::uint64_t m_block = 0;
};

Bytes end_of(const Range& range) { return range.offset + range.size; }

}  // namespace

BlockMap read_block_map(const std::filesystem::path& file) { return Reader(file).map(); }

std::vector<Range> without(const std::vector<Range>& from, const std::vector<Range>& what) {
  std::vector<Range> rest;
  std::size_t next = 0;
  for (const auto& range : from) {
    auto start = range.offset;
    const auto end = end_of(range);
    while (next < what.size() && end_of(what[next]) <= start) ++next;
    for (auto i = next; i < what.size() && what[i].offset < end && start < end; ++i) {
      if (what[i].offset > start) rest.push_back({start, what[i].offset - start});
      start = std::max(start, end_of(what[i]));
    }
    if (start < end) rest.push_back({start, end - start});
  }
  return rest;
}

std::vector<Range> merged(std::vector<Range> ranges, std::size_t limit) {
  if (limit == 0 || ranges.size() <= limit) return ranges;
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 1; i < ranges.size(); ++i) gaps.push_back((ranges[i].offset - end_of(ranges[i - 1])).count);
  // So many of the smallest gaps have to go.
  const auto closed = ranges.size() - limit;
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(closed - 1), gaps.end());
  const auto widest = gaps[closed - 1];
  std::vector<Range> result{ranges.front()};
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    auto& last = result.back();
    if ((ranges[i].offset - end_of(last)).count <= widest) {
      last.size = end_of(ranges[i]) - last.offset;
    } else {
      result.push_back(ranges[i]);
    }
  }
  return result;
}

}  // namespace swaprig::image
