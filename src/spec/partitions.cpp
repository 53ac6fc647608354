#include "spec/partitions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace swaprig::spec {

std::optional<PartitionRef> partition_under(TableReader& table, std::string_view key) {
  const auto text = table.text(key);
  if (!text) return std::nullopt;
  const auto dot = text->find('.');
  if (dot != std::string::npos && dot != 0 && dot + 1 != text->size()) {
    return PartitionRef{text->substr(0, dot), text->substr(dot + 1)};
  }
  table.fault(key, fmt::format("{}: expected \"DRIVE.PARTITION\", found {}", key, in_quotes(*text)));
  return std::nullopt;
}

std::string in_quotes(const PartitionRef& ref) { return in_quotes(ref.drive + '.' + ref.partition); }

FoundPartition find_partition(TableReader& table, std::string_view key, const PartitionRef& ref,
                              const std::vector<Drive>& drives) {
  std::vector<std::string> names;
  for (const auto& drive : drives) {
    for (const auto& partition : drive.partitions) {
      if (drive.name == ref.drive && partition.name == ref.partition) return {&drive, &partition};
      names.push_back(drive.name + '.' + partition.name);
    }
  }
  table.fault(key, "there is no partition " + in_quotes(ref), suggest(ref.drive + '.' + ref.partition, names));
  return {};
}

void check_room_for_file(TableReader& table, std::string_view key, const PartitionRef& ref, const ReadDrives& drives,
                         std::string_view size_key, Bytes size) {
  if (drives.drives.empty()) return;
  const auto found = find_partition(table, key, ref, drives.drives);
  if (found.partition == nullptr || !drives.sound) return;
  if (found.partition->type == PartitionType::swap) {
    table.fault(key, fmt::format("{} is a swap partition and holds no files", in_quotes(ref)),
                "use one with type = \"ext4\", \"xfs\" or \"btrfs\"");
    return;
  }
  const auto room = partition_size(*found.drive, *found.partition);
  if (room.count == 0 || size < room) return;
  table.fault(size_key, fmt::format("a swap file of {} does not fit into {}, which has {} with all that a file system "
                                    "keeps for itself",
                                    exact(size), in_quotes(ref), exact(room)),
              "ask for a smaller file, or make the partition larger");
}

}  // namespace swaprig::spec
