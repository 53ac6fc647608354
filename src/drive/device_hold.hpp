#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/refusals.hpp"

namespace swaprig::drive {

/// A device that nobody else may take while this lives: a lock file that names us (for the whole drive), flock(2) on
/// the node of the whole drive (seen by swaprigs with another state folder, and by udev, which then looks away), and
/// the device open with O_EXCL (seen by mount, mkfs, mdadm and the like). Nothing is written to it.
class DeviceHold {
 public:
  /// Takes hold of what it can; what stands against it is in `refusals` and no exception. FileError for a lock folder
  /// that cannot be used.
  DeviceHold(const DevicePlace& place, const std::filesystem::path& lock_folder);

  const std::vector<Refusal>& refusals() const { return m_refusals; }

  /// Gives O_EXCL up, so that a program that wants it for itself can have it; the locks stay.
  void let_go();
  /// Takes O_EXCL again; HostError when somebody was quicker.
  void take_again();

 private:
  std::string m_path;
  std::vector<FileLock> m_lock;  ///< one or none
  Fd m_whole;
  Fd m_exclusive;
  std::vector<Refusal> m_refusals;
};

}  // namespace swaprig::drive
