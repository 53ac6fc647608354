#include "image/data_place.hpp"

#include <ext2fs/ext2fs.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/handle.hpp"

extern "C" {
#include <et/com_err.h>  // has no such guard of its own
}

namespace swaprig::image {
namespace {

using FileSystem = std::unique_ptr<struct_ext2_filsys, FreeWith<&ext2fs_free>>;

/// Folders of this many levels get a place of their own.
constexpr std::size_t k_levels = 2;

class Mover {
 public:
  explicit Mover(const std::filesystem::path& file) : m_file(file) {
    ext2_filsys raw = nullptr;
    check(ext2fs_open(file.c_str(), EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0, unix_io_manager, &raw));
    m_fs.reset(raw);
    check(ext2fs_read_bitmaps(raw));
    m_blocks = ext2fs_blocks_count(raw->super);
  }

  void move_to_end() {
    std::vector<ext2_ino_t> all;
    for (const auto& [path, inodes] : parts()) all.insert(all.end(), inodes.begin(), inodes.end());
    m_next = last_room(blocks_of(all));
    for (const auto inode : all) move(inode);
    finish();
  }

  void spread() {
    const auto by_path = parts();
    const auto places = even_places(by_path.size(), m_blocks);
    std::size_t part = 0;
    for (const auto& [path, inodes] : by_path) {
      m_next = places[part++];
      for (const auto inode : inodes) move(inode);
    }
    finish();
  }

 private:
  void check(errcode_t code) const {
    if (code == 0) return;
    throw Error(fmt::format("cannot move the files in {}: {}", m_file.string(), error_message(code)));
  }

  /// The inodes with blocks, by the folder that decides their place; in the order of a walk, so that a folder's files
  /// stay together.
  std::map<std::string, std::vector<ext2_ino_t>> parts() {
    std::map<std::string, std::vector<ext2_ino_t>> result;
    check(ext2fs_allocate_inode_bitmap(m_fs.get(), "seen", &m_seen));
    const std::unique_ptr<std::remove_pointer_t<ext2fs_inode_bitmap>, FreeWith<&ext2fs_free_inode_bitmap>> owner(m_seen);
    walk("/", EXT2_ROOT_INO, 0, result);
    return result;
  }

  struct Child {
    std::string name;
    ext2_ino_t inode;
  };

  static int collect(ext2_dir_entry* entry, int, int, char*, void* into) {
    const std::string name(entry->name, static_cast<std::size_t>(ext2fs_dirent_name_len(entry)));
    if (name != "." && name != "..") static_cast<std::vector<Child>*>(into)->push_back({name, entry->inode});
    return 0;
  }

  void walk(const std::string& part, ext2_ino_t folder, std::size_t depth,
            std::map<std::string, std::vector<ext2_ino_t>>& result) {
    add(folder, result[part]);
    std::vector<Child> children;
    check(ext2fs_dir_iterate(m_fs.get(), folder, 0, nullptr, &collect, &children));
    std::vector<Child> folders;
    for (const auto& child : children) {
      if (ext2fs_check_directory(m_fs.get(), child.inode) == 0) {
        folders.push_back(child);
      } else {
        add(child.inode, result[part]);
      }
    }
    for (const auto& child : folders) {
      const auto below = depth < k_levels ? part + (part == "/" ? "" : "/") + child.name : part;
      walk(below, child.inode, depth + 1, result);
    }
  }

  /// A file with several names is one.
  void add(ext2_ino_t inode, std::vector<ext2_ino_t>& inodes) {
    if (ext2fs_test_inode_bitmap2(m_seen, inode) != 0) return;
    ext2fs_mark_inode_bitmap2(m_seen, inode);
    ext2_inode content{};
    check(ext2fs_read_inode(m_fs.get(), inode, &content));
    if (ext2fs_inode_has_valid_blocks2(m_fs.get(), &content) != 0) inodes.push_back(inode);
  }

  std::uint64_t blocks_of(const std::vector<ext2_ino_t>& inodes) {
    std::uint64_t blocks = 0;
    const auto count = [](ext2_filsys, blk64_t*, e2_blkcnt_t number, blk64_t, int, void* sum) {
      if (number >= 0) ++*static_cast<std::uint64_t*>(sum);
      return 0;
    };
    for (const auto inode : inodes) {
      check(ext2fs_block_iterate3(m_fs.get(), inode, BLOCK_FLAG_READ_ONLY, nullptr, count, &blocks));
    }
    return blocks;
  }

  /// The block from which on so many are free to the end.
  blk64_t last_room(std::uint64_t blocks) {
    blk64_t first = m_blocks;
    while (blocks > 0) {
      if (first <= m_fs->super->s_first_data_block) {
        throw HostError(fmt::format("cannot move the files in {} to its end: they take more than half of it",
                                    m_file.string()));
      }
      --first;
      if (ext2fs_test_block_bitmap2(m_fs->block_map, first) == 0) --blocks;
    }
    return first;
  }

  /// The next free block from m_next on, and from the start when the end is reached; taken then.
  blk64_t take_block() {
    blk64_t found = 0;
    auto code = m_next < m_blocks
                    ? ext2fs_find_first_zero_block_bitmap2(m_fs->block_map, m_next, m_blocks - 1, &found)
                    : ENOENT;
    if (code == ENOENT) {
      code = ext2fs_find_first_zero_block_bitmap2(m_fs->block_map, m_fs->super->s_first_data_block, m_blocks - 1, &found);
    }
    check(code);
    ext2fs_block_alloc_stats2(m_fs.get(), found, +1);
    m_next = found + 1;
    return found;
  }

  struct Move {
    Mover* mover;
    std::vector<std::pair<blk64_t, blk64_t>> blocks;  ///< from, to
  };

  static int relocate(ext2_filsys, blk64_t* block, e2_blkcnt_t number, blk64_t, int, void* into) {
    auto& move = *static_cast<Move*>(into);
    if (number < 0) return 0;  // a block of the tree that maps the file
    const auto to = move.mover->take_block();
    move.blocks.emplace_back(*block, to);
    *block = to;
    return BLOCK_CHANGED;
  }

  void move(ext2_ino_t inode) {
    Move move{this, {}};
    check(ext2fs_block_iterate3(m_fs.get(), inode, 0, nullptr, &relocate, &move));
    std::vector<char> content(m_fs->blocksize);
    for (const auto& [from, to] : move.blocks) {
      check(io_channel_read_blk64(m_fs->io, from, 1, content.data()));
      check(io_channel_write_blk64(m_fs->io, to, 1, content.data()));
    }
    // Freed only at the very end: a block that was moved away is no room for another file before everything has moved.
    for (const auto& [from, to] : move.blocks) m_left.push_back(from);
  }

  void finish() {
    std::sort(m_left.begin(), m_left.end());
    for (std::size_t i = 0; i < m_left.size();) {
      std::size_t count = 1;
      while (i + count < m_left.size() && m_left[i + count] == m_left[i] + count) ++count;
      // Only to save the host's space: a file system without holes keeps what was there.
      io_channel_discard(m_fs->io, m_left[i], count);
      i += count;
    }
    for (const auto block : m_left) ext2fs_block_alloc_stats2(m_fs.get(), block, -1);
    check(ext2fs_write_bitmaps(m_fs.get()));
    check(ext2fs_flush(m_fs.get()));
  }

  std::filesystem::path m_file;
  FileSystem m_fs;
  ext2fs_inode_bitmap m_seen = nullptr;
  blk64_t m_blocks = 0;
  blk64_t m_next = 0;
  std::vector<blk64_t> m_left;
};

}  // namespace

std::vector<std::uint64_t> even_places(std::size_t parts, std::uint64_t room) {
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < parts; ++i) places.push_back(room / parts * i + room % parts * i / parts);
  return places;
}

void place_data(const std::filesystem::path& file, spec::RootData place) {
  switch (place) {
    case spec::RootData::start: return;
    case spec::RootData::spread: return Mover(file).spread();
    case spec::RootData::end: return Mover(file).move_to_end();
  }
}

}  // namespace swaprig::image
