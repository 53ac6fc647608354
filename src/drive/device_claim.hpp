#pragma once

#include <filesystem>
#include <string>

#include "base/command.hpp"
#include "drive/block_device.hpp"

namespace swaprig::drive {

/// Erases every signature on the device (on its partitions too) and writes our label. `typed` is what the owner gave as
/// its claim word. HostError with every refusal, and when the word differs; nothing was written then. CommandError.
void claim_device(const std::filesystem::path& path, const std::string& typed, const std::filesystem::path& lock_folder,
                  CommandRunner& commands);

/// Removes our label, and nothing else. HostError when the device is not claimed, or in use; nothing was written then.
void release_device(const std::filesystem::path& path, const std::filesystem::path& lock_folder,
                    CommandRunner& commands);

/// The device at a path, from a reading of all with its content; HostError when there is none.
const BlockDevice& device_at(const std::filesystem::path& path, const BlockDevices& devices);

/// Takes the kernel's partitions of a drive away, so that nothing on the host looks into what guests keep there.
/// HostError when one is in use.
void forget_partitions(const BlockDevice& drive, const BlockDevices& devices);

}  // namespace swaprig::drive
