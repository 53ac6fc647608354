#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

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

/// Prints every extent of the file, in file order.
void print_extents(int file, const std::string& path) {
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
      std::printf("extent=%llu %llu %u\n", static_cast<unsigned long long>(extent.fe_physical),
                  static_cast<unsigned long long>(extent.fe_length), extent.fe_flags);
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
  std::printf("device=%s\nsize=%lld\n", name_of_device(status.st_dev).c_str(), static_cast<long long>(status.st_size));
  print_extents(file.get(), path);
  return 0;
}

}  // namespace swaprig::probe
