#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "spec/experiment.hpp"

namespace swaprig::drive {

/// How a drive reaches the guest; a plain value handed to the domain XML.
struct Attachment {
  enum class Source { file, block_device, nbd_socket };
  using Bus = spec::Bus;

  std::string drive;                 ///< the experiment's name of it
  Source source = Source::file;
  std::filesystem::path path;        ///< file, device or UNIX socket
  std::string serial;                ///< at most 20 characters [A-Za-z0-9-], unique in the guest
  Bus bus = Bus::virtio;
  int rotation_rate = 0;             ///< rpm; 1: not rotating; 0: not said (virtio cannot say it)
  int logical_sector = 512;
  int physical_sector = 4096;
  std::string io = "native";         ///< native | io_uring | threads
  bool discard = false;              ///< the guest's discards reach the drive

  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// One partition as it lies on the drive.
struct PlacedPartition {
  std::string name;
  int number = 0;                    ///< from 1, the number in the guest's device name
  Bytes offset;
  Bytes size;
  spec::PartitionType type = spec::PartitionType::ext4;
  bool holds_image = false;

  friend bool operator==(const PlacedPartition&, const PlacedPartition&) = default;
};

/// GPT with 1 MiB alignment: the first partition starts at 1 MiB, the last MiB stays free.
struct Layout {
  Bytes drive_size;
  std::vector<PlacedPartition> partitions;

  const PlacedPartition& partition(const std::string& name) const;   ///< asserts that it is there
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Pure. Sizes are rounded up to 1 MiB; throws UsageError when they do not fit.
Layout lay_out(const std::vector<spec::Partition>& partitions, Bytes drive_size);

}  // namespace swaprig::drive
