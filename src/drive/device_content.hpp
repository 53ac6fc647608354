#pragma once

#include <string>
#include <vector>

#include "drive/block_device.hpp"

namespace swaprig::drive {

struct DeviceContent {
  std::vector<Signature> signatures;
  std::string partuuid;
  std::string unreadable;
  bool without_direct_io = false;
};

/// Every signature on the device (libblkid, as wipefs shows them), and headers of disk images that libblkid does not
/// know. Never throws: what cannot be read is said in `unreadable`.
DeviceContent read_content(const std::string& path, bool partition);

/// Removes these kinds of signature (libblkid's words; empty: all) through a descriptor that may write. FileError.
void wipe_signatures(int fd, const std::string& path, const std::vector<std::string>& types);

}  // namespace swaprig::drive
