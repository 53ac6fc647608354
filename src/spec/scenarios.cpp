#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.hpp"
#include "spec/names.hpp"
#include "spec/partitions.hpp"
#include "spec/placement.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

/// Folders of the root where something else is mounted in the guest.
constexpr std::array k_other_file_systems{"/dev", "/proc", "/run", "/sys"};

/// The areas of one scenario, checked against the drives and against each other.
class AreaReader {
 public:
  explicit AreaReader(const ReadDrives& drives) : m_drives(drives.drives), m_sound(drives.sound) {}

  std::optional<SwapArea> read(TableReader& table) {
    const auto* kind = recognised_kind(table);
    if (kind == nullptr) return std::nullopt;
    auto area = kind->read(table);
    table.finish();
    check(table, area);
    return area;
  }

 private:
  static const PlacementKind* recognised_kind(TableReader& table) {
    const auto kinds = placement_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto* k) { return k->recognises(table); });
    if (found != kinds.end()) return *found;

    std::vector<std::string> names;
    for (const auto* kind : kinds) names.push_back(kind->name());
    if (const auto create = table.peek("create")) {
      std::erase(names, "partition");
      table.fault("create", fmt::format("create: {} is unknown", in_quotes(*create)), suggest(*create, names));
    } else if (table.has("file")) {
      table.fault_here("this swap file has no create", "write create = \"dd\" or create = \"fallocate\"");
    } else {
      table.fault_here("this is no swap area",
                       "write { partition = \"DRIVE.PARTITION\" }, or { file = \"/swapfile\", on = "
                       "\"DRIVE.PARTITION\", size = \"4 GiB\", create = \"dd\" }");
    }
    return nullptr;
  }

  void check(TableReader& table, SwapArea& area) {
    const std::string_view key = table.has("on") ? "on" : "partition";
    if (area.where.drive.empty() || m_drives.empty()) return;
    const auto [drive, partition] = find_partition(table, key, area.where, m_drives);
    if (partition == nullptr || !m_sound) return;
    const Bytes room = partition_size(*drive, *partition);
    if (area.file.empty() && key == "partition") {
      check_partition(table, area, *partition, room);
    } else {
      check_file(table, area, *partition, room);
    }
  }

  void check_partition(TableReader& table, SwapArea& area, const Partition& partition, Bytes room) {
    area.size = room;
    if (partition.type != PartitionType::swap) {
      table.fault("partition", fmt::format("partition {} is {}, no swap", in_quotes(area.where), to_string(partition.type)),
                  "use one with type = \"swap\", or a file on it: { file = \"/swapfile\", on = ... }");
    }
    if (!m_partitions.insert(area.where).second) {
      table.fault("partition", fmt::format("partition {} is used twice in this scenario", in_quotes(area.where)));
    }
  }

  void check_file(TableReader& table, SwapArea& area, const Partition& partition, Bytes room) {
    area.file_system = partition.type;
    if (partition.type == PartitionType::swap) {
      table.fault("on", fmt::format("{} is a swap partition and holds no files", in_quotes(area.where)),
                  "use one with type = \"ext4\", or the whole of it: { partition = ... }");
      return;
    }
    if (partition.holds_image) check_root_folder(table, area);
    if (!m_files.emplace(area.where, area.file).second) {
      table.fault("file", fmt::format("file {} on {} is used twice in this scenario", in_quotes(area.file),
                                      in_quotes(area.where)));
    }
    if (!area.beside.empty() && area.beside != area.file && !m_files.emplace(area.where, area.beside).second) {
      table.fault("beside", fmt::format("file {} on {} is used twice in this scenario", in_quotes(area.beside),
                                        in_quotes(area.where)));
    }
    Bytes& taken = m_taken[area.where];
    // Sizes end at 2^50, so that twice one is no overflow.
    const Bytes wanted = area.beside.empty() ? area.size : area.size + area.size;
    if (room.count > 0 && (wanted > room || taken > room - wanted)) {
      table.fault("size",
                  fmt::format("the swap files on {} take more than the {} of its file system", in_quotes(area.where),
                              exact(room)),
                  "make the file smaller, or the partition larger");
      return;
    }
    taken = taken + wanted;
  }

  static void check_root_folder(TableReader& table, const SwapArea& area) {
    for (const std::string folder : k_other_file_systems) {
      if (area.beside.starts_with(folder + '/')) {
        table.fault("beside", fmt::format("{} is another file system in the guest", folder),
                    "choose another folder, such as \"/swapfile-1\"");
      }
      if (area.file.starts_with(folder + '/')) {
        table.fault("file", fmt::format("{} is another file system in the guest", folder),
                    "choose another folder, such as \"/swapfile\"");
      }
    }
  }

  const std::vector<Drive>& m_drives;
  bool m_sound;
  std::set<PartitionRef> m_partitions;
  std::set<std::pair<PartitionRef, std::string>> m_files;
  std::map<PartitionRef, Bytes> m_taken;
};

void read_areas(TableReader& table, Scenario& scenario, const ReadDrives& drives) {
  table.require("swap", "swap = [] for no swap, or swap = [{ partition = \"hdd.swap\" }]");
  auto areas = table.tables("swap", "this swap area");
  if (!areas) return;
  AreaReader reader(drives);
  for (auto& area : *areas) {
    if (auto read = reader.read(area)) scenario.swap.push_back(std::move(*read));
  }
}

/// Where a workload that makes swap files works. A workload that could not be read says nothing about the key.
void read_place_of_work(TableReader& table, Scenario& scenario, const ReadDrives& drives, const Workload& workload) {
  if (!workload.creation) {
    if (workload.kind.empty()) table.ignore("on");
    return;
  }
  scenario.on = partition_under(table, "on");
  if (scenario.on) {
    check_room_for_file(table, "on", *scenario.on, drives, "on", workload.creation->largest());
  } else if (!table.has("on")) {
    scenario.on = workload.on;
    if (!scenario.on) {
      table.fault_here("neither this scenario nor [workload] says on which file system the swap files are made",
                       "write on = \"DRIVE.PARTITION\"");
    }
  }
  if (!scenario.swap.empty()) {
    table.fault("swap", "the workload makes its own swap files and switches them on and off", "write swap = []");
  }
}

Scenario read_scenario(TableReader& table, const Guest& guest, const ReadDrives& drives, const Workload& workload,
                       const std::vector<std::string>& image_names, NameList& names) {
  Scenario scenario;
  table.require("name", "name = \"start of the drive\"");
  if (const auto name = table.text("name")) {
    scenario.name = *name;
    names.add(*name, table, "name");
    if (name->ends_with(k_reserved_suffix)) {
      table.fault("name", fmt::format("the end {} is kept for A/A comparisons", in_quotes(k_reserved_suffix)),
                  "give it another name");
    }
  }
  scenario.guest = guest;
  if (auto overrides = table.table("guest", "the guest of this scenario")) {
    read_guest(*overrides, scenario.guest, image_names);
  }
  read_areas(table, scenario, drives);
  const auto expect_swap = table.boolean("expect_swap");
  scenario.expect_swap = expect_swap.value_or(!scenario.swap.empty());
  if (expect_swap == true && scenario.swap.empty() && table.has("swap")) {
    table.fault("expect_swap", "this scenario expects swap traffic but has no swap area");
  }
  read_place_of_work(table, scenario, drives, workload);
  table.finish();
  return scenario;
}

}  // namespace

std::vector<Scenario> read_scenarios(TableReader& root, const Guest& guest, const ReadDrives& drives,
                                     const Workload& workload, const std::vector<std::string>& image_names) {
  std::vector<Scenario> scenarios;
  root.require("scenarios", "[[scenarios]]");
  auto tables = root.tables("scenarios", "this scenario");
  if (!tables) return scenarios;
  if (tables->empty()) root.fault("scenarios", "there is no scenario", "write [[scenarios]]");
  NameList names("scenario");
  for (auto& table : *tables) scenarios.push_back(read_scenario(table, guest, drives, workload, image_names, names));
  return scenarios;
}

}  // namespace swaprig::spec
