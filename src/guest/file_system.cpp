#include "guest/file_system.hpp"

#include "base/assert.hpp"

namespace swaprig::guest {

std::vector<std::vector<std::string>> make_and_mount(spec::PartitionType type, const std::string& device,
                                                     const std::string& mount_point) {
  std::vector<std::string> make;
  std::string options = "noatime";
  switch (type) {
    case spec::PartitionType::ext4:
      make = {"mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"};
      options += ",no_prefetch_block_bitmaps,noinit_itable";
      break;
    case spec::PartitionType::xfs:
      make = {"mkfs.xfs", "-q", "-f", "-K"};
      break;
    case spec::PartitionType::btrfs:
      make = {"mkfs.btrfs", "-q", "-f", "-K"};
      // The kernel would switch it on for a drive that does not rotate.
      options += ",nodiscard";
      break;
    case spec::PartitionType::swap:
      SWAPRIG_ASSERT(!"a file system");
  }
  make.push_back(device);
  return {{"mkdir", "-p", mount_point},
          make,
          {"mount", "-t", to_string(type), "-o", options, device, mount_point}};
}

std::string package_of(spec::PartitionType type) {
  if (type == spec::PartitionType::xfs) return "xfsprogs";
  return type == spec::PartitionType::btrfs ? "btrfs-progs" : "e2fsprogs";
}

}  // namespace swaprig::guest
