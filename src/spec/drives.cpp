#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "spec/named_file.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

/// Partitions start at whole MiB, so that every drive finds them aligned.
constexpr Bytes k_alignment = mib(1);
constexpr Bytes k_largest{std::uint64_t{1} << 50U};
/// In the order of PartitionType.
const std::array<std::string, 4> k_partition_types{"ext4", "swap", "xfs", "btrfs"};
constexpr std::size_t k_most_partitions = 128;  ///< entries of a GPT
constexpr std::size_t k_most_drives = 8;
constexpr std::int64_t k_deepest_queue = 1024;
constexpr Bytes k_least_room = mib(1);
constexpr double k_least_scale = 0.001;  ///< bounds of the server
constexpr double k_largest_scale = 1000;
constexpr std::chrono::milliseconds k_longest_wait = std::chrono::hours(24);

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

/// Below it mke2fs makes no journal, and there is nothing to measure; mkfs.xfs 6.1 and mkfs.btrfs 6.2 refuse.
Bytes smallest(PartitionType type) {
  switch (type) {
    case PartitionType::ext4: return mib(16);
    case PartitionType::xfs: return mib(300);
    case PartitionType::btrfs: return mib(128);
    case PartitionType::swap: break;
  }
  return Bytes{0};
}

std::string with_article(PartitionType type) {
  return (type == PartitionType::ext4 || type == PartitionType::xfs ? "an " : "a ") + to_string(type);
}

Partition read_partition(TableReader& table, NameList& names) {
  const std::array<std::string, 1> contents{"image"};
  Partition partition;
  table.require("name", "name = \"swap-start\"");
  if (const auto name = table.text("name")) {
    partition.name = *name;
    names.add(*name, table, "name");
    if (*name == "outside partitions" || *name == "swap files") {
      table.fault("name", in_quotes(*name) + " means something else in reports", "give the partition another name");
    }
  }
  read_size(table, partition);
  table.require("type", "type = \"ext4\" or type = \"swap\"");
  const auto type = table.choice("type", k_partition_types);
  if (type) partition.type = static_cast<PartitionType>(*type);
  partition.holds_image = table.choice("holds", contents).has_value();
  if (partition.holds_image && partition.type != PartitionType::ext4) {
    table.fault("holds", fmt::format("{} partition cannot hold the image", with_article(partition.type)),
                "type = \"ext4\"");
  }
  const auto least = smallest(partition.type);
  if (type && partition.size && partition.size->count > 0 && *partition.size < least) {
    table.fault("size", fmt::format("{} partition needs at least {}", with_article(partition.type), exact(least)));
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
  if (drive.size().count == 0) return;
  const Bytes usable = usable_size(drive.size());
  const Bytes wanted = fixed_sizes(drive.partitions);
  if (wanted > usable) {
    table.fault("partitions",
                fmt::format("the partitions take {}, but the drive's {} have room for {}", exact(wanted),
                            exact(drive.size()), exact(usable)),
                "the partition table takes 2 MiB; make a partition smaller, or the drive larger");
  } else if (rests > 0 && wanted == usable) {
    table.fault("partitions", "the partitions with a size leave nothing for the one that takes the rest");
  }
}

/// A profile that was stored stands in for the folder.
void read_profile(TableReader& table, const std::string& name, const std::string& path, const Library& library,
                  Profile& profile) {
  const NamedSort sort{"simulate", "profile", "drive profile", library.profiles_folder};
  const auto stored = library.files.find(name);
  const auto file = stored != library.files.end() ? std::optional(NamedFile{stored->second, name})
                                                  : find_named(table, sort, name, path);
  if (file) parse_named(table, sort, *file, [&] { profile = parse_profile(file->text, file->path); });
}

void read_queue_depth(TableReader& table, Profile& profile) {
  if (const auto depth = table.integer("queue_depth", {1, k_deepest_queue})) {
    profile.parameters.queue_depth = static_cast<std::uint64_t>(*depth);
  }
}

void read_time_scale(TableReader& table, double& scale) {
  scale = table.number("time_scale", {k_least_scale, k_largest_scale}).value_or(scale);
}

/// Offsets count from the partition when one is named.
void read_bad_sectors(TableReader& table, const Drive& drive, SimulatedBacking& backing) {
  BadSectors bad;
  Bytes start;
  Bytes room = drive.size();
  const auto name = table.text("partition");
  if (name) {
    const auto found = std::find_if(drive.partitions.begin(), drive.partitions.end(),
                                    [&](const Partition& partition) { return partition.name == *name; });
    if (found == drive.partitions.end()) {
      std::vector<std::string> names;
      for (const auto& partition : drive.partitions) names.push_back(partition.name);
      table.fault("partition", "the drive has no partition " + in_quotes(*name), suggest(*name, names));
    } else {
      start = k_alignment;
      for (auto at = drive.partitions.begin(); at != found; ++at) start = start + partition_size(drive, *at);
      room = partition_size(drive, *found);
    }
  }
  const auto offset = table.size("offset", {Bytes{0}, k_largest}).value_or(Bytes{0});
  bad.size = table.size("size", {Bytes{1}, k_largest}).value_or(offset < room ? room - offset : Bytes{0});
  if (offset.count > room.count || bad.size.count > room.count - offset.count || bad.size.count == 0) {
    table.fault_here(fmt::format("the bad sectors lie outside the {}, which has {}", name ? "partition" : "drive",
                                 exact(room)));
  }
  bad.offset = start + offset;
  const std::array<std::string, 3> operations{"read", "write", "both"};
  table.require("operation", "operation = \"read\", \"write\" or \"both\"");
  if (const auto operation = table.choice("operation", operations)) {
    bad.operation = static_cast<BadSectors::Operation>(*operation);
  }
  if (const auto after = table.duration("after", {std::chrono::milliseconds(0), k_longest_wait})) bad.after = *after;
  table.finish();
  backing.bad.push_back(bad);
}

void read_faults(TableReader& table, Drive& drive) {
  auto& backing = std::get<SimulatedBacking>(drive.backing);
  backing.vanish = table.duration("vanish", {std::chrono::milliseconds(0), k_longest_wait});
  backing.room = table.size("room", {k_least_room, k_largest});
  if (auto tables = table.tables("bad", "this entry of bad")) {
    for (auto& bad : *tables) read_bad_sectors(bad, drive, backing);
  }
}

void read_simulated(TableReader& table, Drive& drive, const std::string& path, const Library& library) {
  SimulatedBacking backing;
  drive.bus = Bus::scsi;
  if (const auto name = table.text("simulate")) {
    backing.wanted = *name;
    read_profile(table, *name, path, library, backing.profile);
  }
  read_queue_depth(table, backing.profile);
  read_time_scale(table, backing.time_scale);
  if (table.has("file")) {
    table.fault_at_key("file", "a drive is a file or simulated, not both", "leave one of the two away");
    static_cast<void>(table.text("file"));
  }
  drive.backing = std::move(backing);
}

void read_file_backing(TableReader& table, Drive& drive) {
  table.require("file", "file = \"8 GiB\", simulate = \"wd20earx\", or device = \"/dev/disk/by-id/...\"");
  const auto size = table.size("file", {mib(3), k_largest}).value_or(Bytes{0});
  if (!is_aligned(size)) table.fault("file", "the size of a drive has to be a multiple of 1 MiB");
  for (const auto* key : {"queue_depth", "time_scale", "vanish", "room", "bad"}) {
    if (table.has(key)) table.fault_at_key(key, fmt::format("only a simulated drive has {}", key));
    table.ignore(key);
  }
  drive.backing = FileBacking{size};
}

void read_bus_and_io(TableReader& table, Drive& drive) {
  const std::array<std::string, 4> buses{"virtio", "scsi", "sata", "ide"};
  if (const auto bus = table.choice("bus", buses)) drive.bus = static_cast<Bus>(*bus);
  const std::array<std::string, 3> ways{"native", "io_uring", "threads"};
  if (const auto way = table.choice("io", ways)) drive.io = ways[*way];
}

/// A name that follows the drive through reboots and other sockets; a loop device has no such name, and its serial says
/// which file it is.
void check_device_path(TableReader& table, const std::string& path) {
  if (path.starts_with("/dev/disk/by-id/") && path.size() > std::string_view("/dev/disk/by-id/").size()) return;
  if (path.starts_with("/dev/loop") && path.find('/', 5) == std::string::npos) return;
  table.fault("device", "a drive is named by its link below /dev/disk/by-id, since names like /dev/sda move",
              "swaprig drive list shows the links");
}

void read_device(TableReader& table, Drive& drive) {
  DeviceBacking backing;
  backing.one_partition = !table.has("device");
  if (table.has("device") && table.has("partition")) {
    table.fault_at_key("partition", "a drive is used whole or one partition of it, not both", "leave one of the two away");
  }
  for (const auto* other : {"file", "simulate"}) {
    if (!table.has(other)) continue;
    table.fault_at_key(other, fmt::format("a real drive is no {}", std::string_view(other) == "file" ? "file" : "simulated one"),
                       "leave one of the two away");
    table.ignore(other);
  }
  if (const auto path = table.text("device")) {
    backing.path = *path;
    check_device_path(table, *path);
    table.require("serial", "serial = \"...\", as swaprig drive list shows it: the drive has to have it");
  }
  if (const auto path = table.text("partition")) {
    if (backing.one_partition) backing.path = *path;
    if (!path->starts_with("/dev/disk/by-partuuid/")) {
      table.fault("partition", "a partition is named by its link below /dev/disk/by-partuuid");
    }
    if (backing.one_partition && table.has("serial")) {
      table.fault_at_key("serial", "a partition has no serial", "its link already holds its own id");
      table.ignore("serial");
    }
  }
  backing.serial = table.text("serial").value_or("");
  table.require("size", "size = \"2000398934016 B\", exactly as swaprig drive list shows it");
  backing.size = table.size("size", {mib(3), k_largest}).value_or(Bytes{0});
  backing.scheduler = table.text("scheduler").value_or("");
  backing.read_ahead = table.size("read_ahead", {Bytes{0}, mib(64)});
  backing.discard = table.boolean("discard").value_or(false);
  for (const auto* key : {"queue_depth", "time_scale", "vanish", "room", "bad"}) {
    if (table.has(key)) table.fault_at_key(key, fmt::format("only a simulated drive has {}", key));
    table.ignore(key);
  }
  drive.bus = Bus::scsi;
  drive.backing = std::move(backing);
  read_bus_and_io(table, drive);
}

void read_backing(TableReader& table, Drive& drive, const std::string& path, const Library& library) {
  if (table.has("device") || table.has("partition")) {
    read_device(table, drive);
    return;
  }
  if (table.has("simulate")) {
    read_simulated(table, drive, path, library);
  } else {
    read_file_backing(table, drive);
  }
  read_bus_and_io(table, drive);
  if (table.has("io") && table.has("simulate")) {
    table.fault_at_key("io", "io is of no use here: QEMU reaches a simulated drive over a socket", "leave it out");
  }
}

Drive read_drive(TableReader& table, const std::string& name, const std::string& path, const Library& library) {
  Drive drive;
  drive.name = name;
  read_backing(table, drive, path, library);
  table.require("partitions", "partitions = [{ name = \"swap\", size = \"rest\", type = \"swap\" }]");
  if (auto tables = table.tables("partitions", "this partition")) {
    NameList names("partition");
    for (auto& partition : *tables) drive.partitions.push_back(read_partition(partition, names));
    if (tables->empty()) table.fault("partitions", "a drive needs at least one partition");
    if (tables->size() > k_most_partitions) table.fault("partitions", "a partition table holds 128 partitions");
    check_sizes(drive, *tables, table);
  }
  if (drive.simulated() != nullptr) read_faults(table, drive);
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

std::string to_string(PartitionType type) { return k_partition_types.at(static_cast<std::size_t>(type)); }

Bytes Drive::size() const {
  if (const auto* file = std::get_if<FileBacking>(&backing)) return file->size;
  if (const auto* real = device()) return real->size;
  return Bytes{std::get<SimulatedBacking>(backing).profile.parameters.size};
}

bool Drive::position_means_something() const {
  if (const auto* real = device()) return !real->serial.starts_with("loop:") && !real->path.starts_with("/dev/loop");
  return simulated() != nullptr;
}

Bytes usable_size(Bytes drive_size) {
  if (drive_size < k_partition_table) return Bytes{0};
  const Bytes between = drive_size - k_partition_table;
  return between - Bytes{between.count % k_alignment.count};
}

Bytes partition_size(const Drive& drive, const Partition& partition) {
  if (partition.size) return *partition.size;
  const Bytes taken = fixed_sizes(drive.partitions);
  const Bytes usable = usable_size(drive.size());
  return usable < taken ? Bytes{0} : usable - taken;
}

std::vector<Drive> read_drives(TableReader& root, const std::string& path, const Library& library) {
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
    if (auto drive = table->table(name, "drive " + in_quotes(name))) {
      drives.push_back(read_drive(*drive, name, path, library));
    }
  }
  if (table->keys().empty()) table->fault_here("there is no drive", "write [drives.hdd]");
  if (drives.size() > k_most_drives) table->fault_here(fmt::format("at most {} drives", k_most_drives));
  if (!drives.empty()) check_image_partitions(drives, *table);
  return drives;
}

}  // namespace swaprig::spec
