#pragma once

// Partitions by the name that files give them, and what may be asked of them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/sections.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// "DRIVE.PARTITION" under `key`; nothing when it is not there or, which is reported, has another form.
std::optional<PartitionRef> partition_under(TableReader& table, std::string_view key);

/// "\"hdd.root\""
std::string in_quotes(const PartitionRef& ref);

/// A partition and its drive; null when there is none of that name.
struct FoundPartition {
  const Drive* drive = nullptr;
  const Partition* partition = nullptr;
};

/// A name that no partition has is reported at `key`, with the nearest one.
FoundPartition find_partition(TableReader& table, std::string_view key, const PartitionRef& ref,
                              const std::vector<Drive>& drives);

/// Reports at `key` when the partition holds no files, at `size_key` when it has no room for one of that size.
void check_room_for_file(TableReader& table, std::string_view key, const PartitionRef& ref, const ReadDrives& drives,
                         std::string_view size_key, Bytes size);

}  // namespace swaprig::spec
