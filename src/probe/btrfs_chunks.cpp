#include "probe/btrfs_chunks.hpp"

#include <endian.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstring>

#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

BtrfsChunk chunk_of(std::uint64_t address, const char* item, std::size_t length) {
  btrfs_chunk chunk{};
  if (length < sizeof chunk) throw Failure("a chunk of the btrfs is cut");
  std::memcpy(&chunk, item, sizeof chunk);
  // A second copy on the same drive (DUP) is written as well; what spreads over drives cannot be shown on one.
  const auto spread = le64toh(chunk.type) & BTRFS_BLOCK_GROUP_PROFILE_MASK & ~BTRFS_BLOCK_GROUP_DUP;
  if (spread != 0) throw Failure("the btrfs spreads its data over several drives");
  return {address, le64toh(chunk.length), le64toh(chunk.stripe.offset)};
}

/// The next word of a line, parted by one space.
std::string_view take_word(std::string_view& line) {
  const auto end = std::min(line.find(' '), line.size());
  const auto word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool lies_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

std::vector<BtrfsChunk> read_btrfs_chunks(int file) {
  std::vector<BtrfsChunk> chunks;
  std::uint64_t next = 0;
  while (true) {
    btrfs_ioctl_search_args search{};
    search.key.tree_id = BTRFS_CHUNK_TREE_OBJECTID;
    search.key.min_objectid = search.key.max_objectid = BTRFS_FIRST_CHUNK_TREE_OBJECTID;
    search.key.min_type = search.key.max_type = BTRFS_CHUNK_ITEM_KEY;
    search.key.min_offset = next;
    search.key.max_offset = UINT64_MAX;
    search.key.max_transid = UINT64_MAX;
    search.key.nr_items = 64;
    if (ioctl(file, BTRFS_IOC_TREE_SEARCH, &search) != 0) fail("cannot read the chunks of the btrfs");
    if (search.key.nr_items == 0) return chunks;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < search.key.nr_items; ++i) {
      btrfs_ioctl_search_header header{};
      std::memcpy(&header, search.buf + at, sizeof header);
      at += sizeof header;
      chunks.push_back(chunk_of(header.offset, search.buf + at, header.len));
      at += header.len;
      next = header.offset + 1;
    }
  }
}

std::vector<ByteRange> on_drive(ByteRange addresses, const std::vector<BtrfsChunk>& chunks) {
  std::vector<ByteRange> ranges;
  while (addresses.size > 0) {
    const auto found = std::find_if(chunks.begin(), chunks.end(), [&](const BtrfsChunk& chunk) {
      return addresses.position >= chunk.address && addresses.position - chunk.address < chunk.size;
    });
    if (found == chunks.end()) throw Failure("no chunk of the btrfs has address " + std::to_string(addresses.position));
    const auto into = addresses.position - found->address;
    const auto here = std::min(addresses.size, found->size - into);
    ranges.push_back({found->position + into, here});
    addresses = {addresses.position + here, addresses.size - here};
  }
  return ranges;
}

std::string device_of_path(std::string_view mounts, std::string_view path) {
  // "36 35 0:31 / /run/swaprig/fs/hdd-3 rw,noatime shared:1 - btrfs /dev/vda3 rw,space_cache=v2"
  std::string_view longest;
  std::string device;
  while (!mounts.empty()) {
    auto line = mounts.substr(0, mounts.find('\n'));
    mounts.remove_prefix(std::min(line.size() + 1, mounts.size()));
    auto front = line;
    for (int i = 0; i < 4; ++i) take_word(front);
    const auto folder = take_word(front);
    const auto dash = line.find(" - ");
    if (dash == std::string_view::npos || folder.empty() || !lies_below(path, folder)) continue;
    if (folder.size() < longest.size()) continue;
    auto back = line.substr(dash + 3);
    take_word(back);
    longest = folder;
    device = std::string(take_word(back));
  }
  return device;
}

}  // namespace swaprig::probe
