#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "drive/attachment.hpp"
#include "drive/simulated_counters.hpp"

namespace swaprig::drive {

/// What the host knows of the file or device behind a drive at one moment.
struct BackingState {
  Bytes cached;             ///< of it in the host's page cache (fincore)
  Bytes allocated;          ///< blocks it takes on the host; of a real disk all of it

  // of block devices
  std::optional<bool> loop_direct{};            ///< of a loop device: it reaches its file past the host's cache
  bool direct_io = true;                      ///< it can be read with O_DIRECT
  std::string image_format{};                   ///< "qcow2": the header of a disk image is on it; empty: none
  std::optional<bool> neighbours_untouched{};   ///< of one partition: the MiB before and behind it are as they were

  friend bool operator==(const BackingState&, const BackingState&) = default;
};

/// What answers for a simulated drive while a guest runs. Everything throws HostError unless it says otherwise.
class DriveServer {
 public:
  virtual ~DriveServer() = default;

  /// Begins to serve, with empty swap files and no faults; `log` is the file for the server's own words.
  virtual void start(const std::filesystem::path& log) = 0;
  /// Ends it; never throws. Starting again is possible.
  virtual void stop() = 0;
  /// Why no guest can use the drive any more; empty while one can. Never throws.
  virtual std::string lost() = 0;
  /// These bytes hold swap, although they lie in a file system.
  virtual void add_swap_file(Bytes offset, Bytes size) = 0;
  /// From now on the faults that the experiment wants happen, each after its time.
  virtual void arm_faults() = 0;
  virtual SimulatedCounters counters() = 0;
};

/// The names under which `SimulatedCounters` have the swap files of a drive, and what lies in no partition; partitions are
/// there under their own (spec refuses these two).
inline constexpr const char* k_swap_files = "swap files";
inline constexpr const char* k_outside = "outside partitions";

/// One drive of an experiment, held (locked) while a batch uses it.
/// The destructor gives the lock back and removes what `keep` does not keep; it never throws.
class TestDrive {
 public:
  virtual ~TestDrive() = default;

  virtual const Attachment& attachment() const = 0;
  virtual const Layout& layout() const = 0;
  /// The file that holds the drive's bytes, for filling a partition of it while no guest runs.
  virtual std::filesystem::path bytes() const = 0;
  /// Removes what no run may find of the one before: what the host caches of a file; all bytes of a simulated drive but
  /// its partition table.
  virtual void refresh() = 0;
  /// Immediately before the first write of a run: throws HostError when the drive is not any more what was taken hold
  /// of.
  virtual void check() {}
  /// Nothing where the host's cache has no part in the timing.
  virtual std::optional<BackingState> state() = 0;
  /// Nothing for a drive that needs no server; owned by the drive.
  virtual DriveServer* server() { return nullptr; }
};

/// Makes a file drive at FOLDER/NAME.raw: O_CREAT|O_EXCL, written in full with O_DIRECT (so that no run pays for the
/// host's block allocation), GPT by sfdisk, mke2fs on ext4 partitions that do not hold the image.
/// A leftover of a killed swaprig (same folder, lock free, our marker beside it) is removed first; any other
/// existing file is refused with HostError. HostError as well when the file system has no O_DIRECT, or too
/// little space is free. `progress` gets bytes written so far.
std::unique_ptr<TestDrive> make_file_drive(const spec::Drive& drive, const std::filesystem::path& folder,
                                           const std::string& serial, CommandRunner& commands,
                                           const std::function<void(Bytes)>& progress);

/// Where the pieces of a simulated drive go.
struct SimulatedPlaces {
  std::filesystem::path folder;         ///< for its bytes, when they are not kept in memory
  std::filesystem::path socket_folder;  ///< on a short path
  std::filesystem::path plugin;         ///< swaprig-simdrive.so
  bool in_memory = true;                ///< else its bytes lie in a sparse file
  Bytes room{};                         ///< that its bytes may take at most; 0: no bound
};

/// Makes a simulated drive: sparse bytes in memory or in a file, GPT. HostError without nbdkit, UsageError for a drive
/// whose sectors have not 512 bytes.
std::unique_ptr<TestDrive> make_simulated_drive(const spec::Drive& drive, const SimulatedPlaces& places,
                                                const std::string& serial, CommandRunner& commands);

/// Takes hold of a real drive (or partition): every rule of drive/refusals.hpp is checked, the device held open with
/// O_EXCL under a lock that other swaprig processes see, then partitioned (GPT) and given its file systems; swap
/// partitions of a loop device are written in full. HostError with every refusal when it may not be used; nothing was
/// written then. `allowed` are names of refusals that the user overrides; UsageError for one that cannot be.
std::unique_ptr<TestDrive> make_device_drive(const spec::Drive& drive, const std::vector<std::string>& allowed,
                                             const std::filesystem::path& lock_folder, const std::string& serial,
                                             CommandRunner& commands);

/// Removes the drives below the folder whose makers are gone (marker there, lock free); one line for each. Drives in
/// use and files that swaprig did not make are left alone. The host's queue settings that they left are put back.
std::vector<std::string> remove_left_drives(const std::filesystem::path& folder);

}  // namespace swaprig::drive
