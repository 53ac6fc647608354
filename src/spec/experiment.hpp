#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/duration.hpp"
#include "spec/creation.hpp"
#include "spec/profile.hpp"
#include "spec/published.hpp"

namespace swaprig::spec {

enum class Accel { automatic, kvm, tcg };

/// Where in its partition the image's files lie: packed at the start, each folder of the first two levels at a place of
/// its own evenly over the partition, or packed at the end.
enum class RootData { start, spread, end };

/// What the guest is; a scenario may override every field.
struct Guest {
  std::string image;  ///< images/NAME.toml
  Bytes memory;
  int vcpus = 1;
  Accel accel = Accel::automatic;
  std::vector<std::string> kernel_arguments;
  std::map<std::string, std::string> sysctl;  ///< "vm.swappiness" -> "60"
  std::chrono::milliseconds boot_timeout{std::chrono::minutes(5)};
  RootData root_data = RootData::start;

  friend bool operator==(const Guest&, const Guest&) = default;
};

enum class PartitionType { ext4, swap, xfs, btrfs };

/// "ext4", "swap", "xfs", "btrfs"
std::string to_string(PartitionType type);

/// One partition, in disk order; exactly one partition of an experiment holds the image.
struct Partition {
  std::string name;
  std::optional<Bytes> size;  ///< nothing: the rest of the drive (one at most)
  PartitionType type = PartitionType::ext4;
  bool holds_image = false;

  friend bool operator==(const Partition&, const Partition&) = default;
};

/// A raw file that swaprig makes itself in its state folder; position on it means nothing.
struct FileBacking {
  Bytes size;

  friend bool operator==(const FileBacking&, const FileBacking&) = default;
};

/// How a drive is attached to the guest. Only scsi tells it whether the drive rotates, and how fast.
enum class Bus { virtio, scsi, sata, ide };

/// Sectors of a simulated drive that fail, from `after` on (counted from the start of the workload).
struct BadSectors {
  enum class Operation { read, write, both };

  Bytes offset;  ///< from the start of the drive
  Bytes size;
  Operation operation = Operation::both;
  std::chrono::milliseconds after{0};

  friend bool operator==(const BadSectors&, const BadSectors&) = default;
};

/// A drive whose timing follows a profile; position on it means what it means on the drive that is modelled.
struct SimulatedBacking {
  std::string wanted;      ///< the profile as the file names it
  Profile profile;         ///< with the queue depth that the file may give
  double time_scale = 1;   ///< all delays times this, 0.001 to 1000
  std::vector<BadSectors> bad;
  std::optional<std::chrono::milliseconds> vanish;  ///< after the start of the workload
  std::optional<Bytes> room;  ///< of the host that what is written to it may take; nothing: chosen by the batch

  friend bool operator==(const SimulatedBacking&, const SimulatedBacking&) = default;
};

/// A real drive of the host, or one partition of it, named so that no other can be meant.
struct DeviceBacking {
  std::string path;            ///< as in the file: below /dev/disk/by-id/, or /dev/disk/by-partuuid/ for a partition
  bool one_partition = false;  ///< only this partition of the drive is used, as a drive of its own
  std::string serial;          ///< that the drive has to have; empty for a partition
  Bytes size;                  ///< that it has to have, exactly
  std::string scheduler;       ///< of the host's queue while a run lasts; empty: as it is
  std::optional<Bytes> read_ahead;  ///< of the host's queue while a run lasts; nothing: as it is
  bool discard = false;        ///< whether the guest's discards reach it

  friend bool operator==(const DeviceBacking&, const DeviceBacking&) = default;
};

struct Drive {
  std::string name;
  std::variant<FileBacking, SimulatedBacking, DeviceBacking> backing;
  Bus bus = Bus::virtio;
  std::vector<Partition> partitions;
  std::string io = "native";  ///< QEMU's way to the drive: native, io_uring, threads; plays no part for a simulated one

  Bytes size() const;
  const SimulatedBacking* simulated() const { return std::get_if<SimulatedBacking>(&backing); }
  const DeviceBacking* device() const { return std::get_if<DeviceBacking>(&backing); }
  /// Whether it matters where on it something lies: never for a file of the host, nor for one behind a loop device.
  bool position_means_something() const;

  friend bool operator==(const Drive&, const Drive&) = default;
};

/// "hdd.swap-start" in a file.
struct PartitionRef {
  std::string drive;
  std::string partition;

  friend bool operator==(const PartitionRef&, const PartitionRef&) = default;
  friend auto operator<=>(const PartitionRef&, const PartitionRef&) = default;
};

/// One swap area of a placement. Which fields are used is the kind's business (spec/placement.hpp).
struct SwapArea {
  std::string kind;             ///< "partition", "dd", "fallocate"
  PartitionRef where;           ///< the swap partition, or the partition whose file system holds the file
  std::string file;             ///< absolute path from the root of that file system; empty for partitions
  Bytes size;                   ///< whole area, header page included
  Bytes block;                  ///< dd's block size; 0 elsewhere
  std::optional<int> priority;  ///< 0 to 32767; nothing: the kernel's own
  std::string beside{};          ///< a file of the same size, made the same way before this one, that stays off
  PartitionType file_system = PartitionType::ext4;  ///< that holds the file

  friend bool operator==(const SwapArea&, const SwapArea&) = default;
};

/// One bar in the chart.
struct Scenario {
  std::string name;
  Guest guest;  ///< after the overrides
  std::vector<SwapArea> swap;
  bool expect_swap = true;  ///< default: whether there is a swap area
  std::optional<PartitionRef> on{};  ///< whose file system the workload works in, when it is one that makes swap files

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// What is timed. Every kind of workload comes down to one command in the guest (spec/workload.hpp).
struct Workload {
  std::string kind;                  ///< "memory", "command", "swapfile-creation"
  std::string prepare;               ///< /bin/sh -c, before the settling; empty: none
  std::vector<std::string> command;  ///< argument vector in the guest; the probe's path for "memory"
  std::string directory = "/";
  std::string user = "root";
  std::map<std::string, std::string> environment;
  int cores = 0;                ///< how many of the guest's processors it may use; 0: all
  int nice = 0;                 ///< -20 to 19
  Bytes output = kib(64);       ///< how much of the end of what it prints is kept
  std::string verify;           ///< /bin/sh -c, after the clock has stopped: proves that the work was done; empty: none
  std::string summary;  ///< one line for people: "memory: 300 MiB, sweep, 3 passes"
  std::optional<CreationPlan> creation{};  ///< of "swapfile-creation" alone
  std::optional<PartitionRef> on{};        ///< where it works in scenarios that do not say it

  friend bool operator==(const Workload&, const Workload&) = default;
};

enum class Order { mirrored, random, sequential };
enum class Score { best, median };

/// The least traffic (in and out, each) that shows that swap was exercised.
struct MinSwap {
  double fraction_of_memory = 0.10;  ///< used when `bytes` is not set
  std::optional<Bytes> bytes;

  friend bool operator==(const MinSwap&, const MinSwap&) = default;
};

struct Runs {
  int count = 2;  ///< blocks, 1 to 1000
  Order order = Order::mirrored;
  std::uint64_t seed = 1;
  Score score = Score::best;
  bool aa = false;                                           ///< the baseline twice a block, under two names
  std::chrono::milliseconds timeout{std::chrono::hours(1)};  ///< of the workload
  std::chrono::milliseconds sample{1000};                    ///< 0: off
  MinSwap min_swap;
  std::optional<double> precision;  ///< stop when the interval's half-width is at most this fraction

  friend bool operator==(const Runs&, const Runs&) = default;
};

/// A published study, and what of the experiment stands beside it.
struct Reference {
  std::string wanted;  ///< the study as the file names it
  Published study;
  std::map<std::string, std::string> scenarios;  ///< the experiment's by the published ones; without those left out

  friend bool operator==(const Reference&, const Reference&) = default;
};

/// A quick look is one block with the keys of [workload.quick] over those of [workload]; never mixed with whole results.
enum class Extent { full, quick };

/// What the name of a quick look ends in.
inline constexpr const char* k_quick_suffix = "-quick";

struct Experiment {
  std::string name;  ///< the file's stem, with k_quick_suffix for a quick look
  Extent extent = Extent::full;
  std::string title;
  std::string path;       ///< as given
  std::string text;       ///< the file, byte for byte
  std::string canonical;  ///< keys sorted, comments gone: what is compared before a run continues
  Guest guest;
  std::vector<Drive> drives;
  std::vector<Scenario> scenarios;
  Workload workload;
  Runs runs;
  std::string baseline;
  std::optional<Reference> reference;

  const Drive& drive(const std::string& name) const;        ///< asserts that it is there
  const Scenario& scenario(const std::string& name) const;  ///< asserts that it is there
  PartitionRef root() const;                                ///< the partition that holds the image
};

/// What an experiment may name.
struct Library {
  std::vector<std::string> images;              ///< that exist; none: not checked (a stored file outlives its image)
  std::string profiles_folder{};                ///< of NAME.toml; empty: none
  std::map<std::string, std::string> files{};   ///< TOML by name, as of `used_files`; looked up before the folders
  std::string published_folder{};               ///< of NAME.toml; empty: none
};

/// Parses and checks everything; throws BadInput with every fault at once, or FileError. A profile or a study that ends
/// in .toml is a file, sought from the experiment's folder.
Experiment load_experiment(const std::string& path, const Library& library, Extent extent = Extent::full);

/// The same from a text; `path` is for messages, the name and the folder.
Experiment parse_experiment(const std::string& text, const std::string& path, const Library& library,
                            Extent extent = Extent::full);

/// The profiles of its drives and its reference, for `Library::files` when it is parsed again.
std::map<std::string, std::string> used_files(const Experiment& experiment);

}  // namespace swaprig::spec
