#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <climits>
#include <functional>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "probe/btrfs_chunks.hpp"
#include "probe/modes.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

/// "vda2" from a device number.
std::string name_of_device(dev_t device) {
  const std::string link = "/sys/dev/block/" + std::to_string(major(device)) + ":" + std::to_string(minor(device));
  char target[PATH_MAX];
  const auto length = readlink(link.c_str(), target, sizeof target);
  if (length <= 0) fail("no block device behind " + link);
  const std::string_view path(target, static_cast<std::size_t>(length));
  return std::string(path.substr(path.rfind('/') + 1));
}

/// A file of a btrfs has a device number that belongs to no block device.
bool is_on_btrfs(int file) {
  struct statfs status {};
  if (fstatfs(file, &status) != 0) fail("cannot look at the file system");
  return static_cast<unsigned long>(status.f_type) == BTRFS_SUPER_MAGIC;
}

/// "vda3"
std::string device_below(const std::string& path) {
  char whole[PATH_MAX];
  if (realpath(path.c_str(), whole) == nullptr) fail("cannot follow " + path);
  const auto device = device_of_path(read_text("/proc/self/mountinfo").value_or(""), whole);
  if (!device.starts_with("/dev/")) throw Failure("no block device is mounted where " + path + " lies");
  return device.substr(device.rfind('/') + 1);
}

void print_range(ByteRange range, unsigned flags) {
  std::printf("extent=%llu %llu %u\n", static_cast<unsigned long long>(range.position),
              static_cast<unsigned long long>(range.size), flags);
}

/// Every extent of the file, in file order, with its flags.
void each_extent(int file, const std::string& path, const std::function<void(ByteRange, unsigned)>& use) {
  constexpr unsigned k_at_once = 128;
  std::vector<char> memory(sizeof(fiemap) + k_at_once * sizeof(fiemap_extent));
  std::uint64_t next = 0;
  while (true) {
    std::memset(memory.data(), 0, memory.size());
    auto* const request = new (memory.data()) fiemap{};
    request->fm_start = next;
    request->fm_length = FIEMAP_MAX_OFFSET - next;
    request->fm_flags = FIEMAP_FLAG_SYNC;
    request->fm_extent_count = k_at_once;
    if (ioctl(file, FS_IOC_FIEMAP, request) != 0) fail("cannot map the extents of " + path);
    if (request->fm_mapped_extents == 0) return;
    for (unsigned i = 0; i < request->fm_mapped_extents; ++i) {
      fiemap_extent extent;
      std::memcpy(&extent, memory.data() + sizeof(fiemap) + i * sizeof extent, sizeof extent);
      use({extent.fe_physical, extent.fe_length}, extent.fe_flags);
      if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return;
      next = extent.fe_logical + extent.fe_length;
    }
  }
}

}  // namespace

int extents_mode(int argc, char** argv) {
  if (argc != 1) throw Failure("name one file");
  const std::string path = argv[0];
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) fail("cannot open " + path);
  const bool btrfs = is_on_btrfs(file.get());
  const auto device = btrfs ? device_below(path) : name_of_device(status.st_dev);
  std::printf("device=%s\nsize=%lld\n", device.c_str(), static_cast<long long>(status.st_size));
  const auto chunks = btrfs ? read_btrfs_chunks(file.get()) : std::vector<BtrfsChunk>{};
  each_extent(file.get(), path, [&](ByteRange range, unsigned flags) {
    if (!btrfs) return print_range(range, flags);
    for (const auto& part : on_drive(range, chunks)) print_range(part, flags);
  });
  return 0;
}

}  // namespace swaprig::probe
