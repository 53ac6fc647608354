#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "drive/attachment.hpp"

namespace swaprig::drive {

/// What the host knows of a drive's backing at one moment.
struct BackingState {
  Bytes cached;             ///< of the backing in the host's page cache (fincore)
  Bytes allocated;          ///< blocks the backing takes on the host
  bool position_means_something = false;

  friend bool operator==(const BackingState&, const BackingState&) = default;
};

/// One drive of an experiment, held (locked) while a batch uses it.
/// The destructor gives the lock back and removes what `keep` does not keep; it never throws.
class TestDrive {
 public:
  virtual ~TestDrive() = default;

  virtual const Attachment& attachment() const = 0;
  virtual const Layout& layout() const = 0;
  /// "file", later "simulated", "device": for records and banners.
  virtual std::string kind() const = 0;
  /// Makes sure that the host caches nothing of it: fsync, then drops its cached pages.
  virtual void drop_host_cache() = 0;
  virtual BackingState state() = 0;
};

/// Makes a file drive at FOLDER/NAME.raw: O_CREAT|O_EXCL, written in full with O_DIRECT (so that no run pays for the
/// host's block allocation), GPT by sfdisk, mke2fs on ext4 partitions that do not hold the image.
/// A leftover of a killed swaprig (same folder, lock free, our marker beside it) is removed first; any other
/// existing file is refused with HostError. HostError as well when the file system has no O_DIRECT, or too
/// little space is free. `progress` gets bytes written so far.
std::unique_ptr<TestDrive> make_file_drive(const spec::Drive& drive, const std::filesystem::path& folder,
                                           const std::string& serial, CommandRunner& commands,
                                           const std::function<void(Bytes)>& progress);

/// Removes the drives below the folder whose makers are gone (marker there, lock free); one line for each. Drives in
/// use and files that swaprig did not make are left alone.
std::vector<std::string> remove_left_drives(const std::filesystem::path& folder);

}  // namespace swaprig::drive
