#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/command.hpp"

namespace swaprig::drive {

struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;

  friend auto operator<=>(const DeviceNumber&, const DeviceNumber&) = default;
};

/// "8:16"
std::string to_string(DeviceNumber number);

/// What lies on a device, told by its magic bytes.
struct Signature {
  std::string type;   ///< libblkid's word ("ext4", "LVM2_member", "gpt", "PMBR"), or "qcow2", "vmdk", "vhdx"
  std::string usage;  ///< "filesystem", "raid", "crypto", "other", "table", "image"
  std::string uuid;   ///< lower case; of a table its own; may be empty
  std::string label;
  Bytes offset;  ///< of the magic bytes

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// Somebody who uses a device, found without opening it.
struct DeviceUse {
  enum class Kind { mount, swap, holder, process, domain };

  Kind kind = Kind::mount;
  std::string by;  ///< "on /home", "dm-0 (vg-home)", "process 17 (dd)", "the domain web (process 18)"
  int pid = 0;     ///< of a process or a domain

  friend bool operator==(const DeviceUse&, const DeviceUse&) = default;
};

/// The file behind a loop device.
struct LoopBacking {
  std::string file;      ///< as the kernel has it
  std::string identity;  ///< "DEVICE:INODE:OFFSET:LIMIT"; empty when the device cannot be asked
  bool direct = false;   ///< the loop device reads and writes it with O_DIRECT
  bool deleted = false;
  bool visible = false;                  ///< found under its name, and the same file
  unsigned owner = 0;                    ///< user id of the file; only when visible
  std::vector<std::string> shared_with;  ///< other loop devices with the same file

  friend bool operator==(const LoopBacking&, const LoopBacking&) = default;
};

/// What SMART says, through smartctl.
struct DriveHealth {
  std::optional<int> celsius;
  std::optional<bool> passed;
  std::optional<int> rotation_rate;  ///< rpm; 0: does not rotate
  std::string note;                  ///< why it is not known

  friend bool operator==(const DriveHealth&, const DriveHealth&) = default;
};

/// One block device of the host as it was when we looked; a drive, a partition or something that is mapped.
struct BlockDevice {
  std::string name;  ///< the kernel's
  std::string path;  ///< "/dev/NAME"
  DeviceNumber number;
  std::string type;   ///< lsblk's word: "disk", "part", "loop", "crypt", "lvm", "raid1", "rom"
  std::string drive;  ///< of a partition: the name of the whole; else empty
  int partition = 0;  ///< number of the partition
  Bytes start;        ///< of the partition on its drive
  Bytes size;         ///< 0: no medium
  std::string vendor;
  std::string model;
  std::string serial;  ///< of a loop device "loop:" and a digest of which file it is
  std::string wwn;
  std::string firmware;
  std::string transport;  ///< "sata", "nvme", "usb"; may be empty
  std::string scheduler;
  Bytes read_ahead;
  int logical_sector = 512;
  int physical_sector = 512;
  bool rotational = false;
  bool read_only = false;
  bool removable = false;
  std::string zoned;               ///< "none", "host-managed"
  std::uint64_t sequence = 0;      ///< the kernel's diskseq: another one after every attachment; 0: not told
  std::vector<std::string> links;  ///< below /dev/disk/by-id (of a partition by-partuuid too), sorted
  std::string partuuid;            ///< of a partition, lower case
  std::vector<Signature> signatures;
  std::string unreadable;          ///< why its content could not be looked at; empty: it could
  bool without_direct_io = false;  ///< cannot be read with O_DIRECT
  std::optional<LoopBacking> loop;
  std::vector<DeviceUse> uses;  ///< of itself, not of its partitions
  bool below_root = false;      ///< the root file system of some mount namespace lies on it
  std::optional<DriveHealth> health;

  friend bool operator==(const BlockDevice&, const BlockDevice&) = default;
};

/// Every device at one moment.
struct BlockDevices {
  std::vector<BlockDevice> all;  ///< drives in the kernel's order, each before its partitions
  bool stable_links = true;      ///< udev has made /dev/disk/by-id
  bool all_seen = true;          ///< false when other users' processes could not be looked at

  const BlockDevice* find(DeviceNumber number) const;
  const BlockDevice* find(const std::string& name) const;
  /// The whole drive of a partition; the device itself when it is none.
  const BlockDevice& whole(const BlockDevice& device) const;
  std::vector<const BlockDevice*> partitions(const BlockDevice& drive) const;
};

struct ReadingOptions {
  std::optional<DeviceNumber> content_of;  ///< content only of this one's drive and partitions; nothing: of all
  bool health = false;                     ///< ask smartctl, when it is there
  std::string link_folder = "/dev/disk";
};

/// Looks at every block device: lsblk, /sys, /proc, libblkid. Nothing is written. Throws CommandError without lsblk.
BlockDevices read_block_devices(CommandRunner& commands, const ReadingOptions& options = {});

/// "loop:" and a digest of which part of which file it is. Pure.
std::string loop_serial(const std::string& identity);

/// What a path names at this moment.
struct NamedDevice {
  bool exists = false;
  bool block_device = false;
  bool link = false;  ///< the path is a symbolic link
  DeviceNumber number;

  friend bool operator==(const NamedDevice&, const NamedDevice&) = default;
};
NamedDevice look_up(const std::filesystem::path& path);

/// Where a device and the whole drive that it is on are to be found.
struct DevicePlace {
  std::string path;
  std::string whole_name;
  std::string whole_path;
  DeviceNumber whole;
};
/// Nothing when the kernel has no such device.
std::optional<DevicePlace> place_of(DeviceNumber number);

}  // namespace swaprig::drive
