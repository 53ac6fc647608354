#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "drive/block_device.hpp"

namespace swaprig::drive {

/// A file as stat(2) tells it apart: device and inode.
using FileNumber = std::pair<std::uint64_t, std::uint64_t>;

/// Who uses which device, in all mount namespaces and processes that we may see.
struct UsesSeen {
  std::map<DeviceNumber, std::vector<DeviceUse>> devices;
  std::map<FileNumber, std::vector<DeviceUse>> files;  ///< of those asked for
  std::set<DeviceNumber> roots;                        ///< devices with the root file system of a mount namespace
  bool all_seen = true;
};

/// One pass over /proc; our own process does not count. Of descriptors of plain files only those of `files` count.
UsesSeen read_uses(const std::set<FileNumber>& files);

/// One line of mountinfo.
struct MountLine {
  DeviceNumber number;  ///< of the file system; major 0 for those without a device of their own (btrfs too)
  std::string source;
  std::string target;

  friend bool operator==(const MountLine&, const MountLine&) = default;
};

/// Lines of another form are left out. Octal escapes are undone. Pure.
std::vector<MountLine> parse_mountinfo(const std::string& text);

/// The paths of /proc/swaps, escapes undone. Pure.
std::vector<std::string> parse_swaps(const std::string& text);

/// The domain's name in the command line of a QEMU that libvirt started ("-name guest=NAME,..."); empty: none. Pure.
std::string domain_of(const std::string& command_line);

}  // namespace swaprig::drive
