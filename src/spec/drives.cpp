#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

/// Partitions start at whole MiB, so that every drive finds them aligned.
constexpr Bytes k_alignment = mib(1);
constexpr Bytes k_largest{std::uint64_t{1} << 50U};
/// Below it mke2fs makes no journal, and there is nothing to measure.
constexpr Bytes k_smallest_ext4 = mib(16);
constexpr std::size_t k_most_partitions = 128;  ///< entries of a GPT
constexpr std::size_t k_most_drives = 8;

bool is_aligned(Bytes size) { return size.count % k_alignment.count == 0; }

/// Adds up without leaving the range: sizes of a wrong file may be anything.
Bytes fixed_sizes(const std::vector<Partition>& partitions) {
  std::uint64_t sum = 0;
  for (const auto& partition : partitions) {
    if (__builtin_add_overflow(sum, partition.size.value_or(Bytes{0}).count, &sum)) return Bytes{UINT64_MAX};
  }
  return Bytes{sum};
}

void read_size(TableReader& table, Partition& partition) {
  table.require("size", "size = \"4 GiB\" or size = \"rest\"");
  if (table.peek("size") == "rest") {
    table.text("size");
    return;
  }
  partition.size = table.size("size", {k_alignment, k_largest}).value_or(Bytes{0});
  if (!is_aligned(*partition.size)) {
    table.fault("size", "the size of a partition has to be a multiple of 1 MiB, so that it is aligned");
  }
}

Partition read_partition(TableReader& table, NameList& names) {
  const std::array<std::string, 2> types{"ext4", "swap"};
  const std::array<std::string, 1> contents{"image"};
  Partition partition;
  table.require("name", "name = \"swap-start\"");
  if (const auto name = table.text("name")) {
    partition.name = *name;
    names.add(*name, table, "name");
  }
  read_size(table, partition);
  table.require("type", "type = \"ext4\" or type = \"swap\"");
  const auto type = table.choice("type", types);
  if (type) partition.type = static_cast<PartitionType>(*type);
  partition.holds_image = table.choice("holds", contents).has_value();
  if (partition.holds_image && partition.type == PartitionType::swap) {
    table.fault("holds", "a swap partition cannot hold the image", "type = \"ext4\"");
  }
  if (type && partition.type == PartitionType::ext4 && partition.size && partition.size->count > 0 &&
      *partition.size < k_smallest_ext4) {
    table.fault("size", "an ext4 partition needs at least " + exact(k_smallest_ext4));
  }
  table.finish();
  return partition;
}

/// Sizes against the drive; `tables` are the partitions' own.
void check_sizes(const Drive& drive, std::vector<TableReader>& tables, TableReader& table) {
  std::size_t rests = 0;
  for (std::size_t i = 0; i < drive.partitions.size(); ++i) {
    if (drive.partitions[i].size || !tables[i].has("size")) continue;
    if (++rests > 1) tables[i].fault("size", "only one partition of a drive can take the rest", "give it a size");
  }
  if (drive.backing.size.count == 0) return;
  const Bytes usable = drive.backing.size - k_partition_table;
  const Bytes wanted = fixed_sizes(drive.partitions);
  if (wanted > usable) {
    table.fault("partitions",
                fmt::format("the partitions take {}, but the drive's {} have room for {}", exact(wanted),
                            exact(drive.backing.size), exact(usable)),
                "the partition table takes 2 MiB; make a partition smaller, or the drive larger");
  } else if (rests > 0 && wanted == usable) {
    table.fault("partitions", "the partitions with a size leave nothing for the one that takes the rest");
  }
}

void read_backing(TableReader& table, Drive& drive) {
  for (const auto* key : {"simulate", "device"}) {
    if (!table.has(key)) continue;
    for (const auto* known : {key, "serial", "size"}) static_cast<void>(table.text(known));
    table.fault_at_key(key, fmt::format("{} is not available yet in this version", key),
                       "use a file that swaprig makes itself: file = \"8 GiB\"");
    static_cast<void>(table.text("file"));
    return;
  }
  table.require("file", "file = \"8 GiB\"");
  drive.backing.size = table.size("file", {mib(3), k_largest}).value_or(Bytes{0});
  if (!is_aligned(drive.backing.size)) table.fault("file", "the size of a drive has to be a multiple of 1 MiB");
}

Drive read_drive(TableReader& table, const std::string& name) {
  Drive drive{name, {}, {}};
  read_backing(table, drive);
  table.require("partitions", "partitions = [{ name = \"swap\", size = \"rest\", type = \"swap\" }]");
  if (auto tables = table.tables("partitions", "this partition")) {
    NameList names("partition");
    for (auto& partition : *tables) drive.partitions.push_back(read_partition(partition, names));
    if (tables->empty()) table.fault("partitions", "a drive needs at least one partition");
    if (tables->size() > k_most_partitions) table.fault("partitions", "a partition table holds 128 partitions");
    check_sizes(drive, *tables, table);
  }
  table.finish();
  return drive;
}

/// Exactly one partition of all drives holds the image.
void check_image_partitions(const std::vector<Drive>& drives, TableReader& table) {
  std::vector<std::string> holders;
  for (const auto& drive : drives) {
    for (const auto& partition : drive.partitions) {
      if (partition.holds_image) holders.push_back(in_quotes(drive.name + '.' + partition.name));
    }
  }
  if (holders.empty()) {
    table.fault_here("no partition holds the image", "add holds = \"image\" to one ext4 partition");
  } else if (holders.size() > 1) {
    table.fault_here("only one partition can hold the image, not each of " + join(holders, ", "));
  }
}

}  // namespace

Bytes partition_size(const Drive& drive, const Partition& partition) {
  if (partition.size) return *partition.size;
  const Bytes taken = fixed_sizes(drive.partitions);
  if (drive.backing.size < k_partition_table || drive.backing.size - k_partition_table < taken) return Bytes{0};
  return drive.backing.size - k_partition_table - taken;
}

std::vector<Drive> read_drives(TableReader& root) {
  std::vector<Drive> drives;
  root.require("drives", "[drives.hdd]");
  auto table = root.table("drives", "[drives]");
  if (!table) return drives;
  NameList names("drive");
  for (const auto& name : table->keys()) {
    names.add_at_key(name, *table);
    if (name.find('.') != std::string::npos) {
      table->fault_at_key(name, "the name of a drive may not hold a dot",
                          "\"DRIVE.PARTITION\" is split at the first one");
    }
    if (auto drive = table->table(name, "drive " + in_quotes(name))) drives.push_back(read_drive(*drive, name));
  }
  if (table->keys().empty()) table->fault_here("there is no drive", "write [drives.hdd]");
  if (drives.size() > k_most_drives) table->fault_here(fmt::format("at most {} drives", k_most_drives));
  if (!drives.empty()) check_image_partitions(drives, *table);
  return drives;
}

}  // namespace swaprig::spec
