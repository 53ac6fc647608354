#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.hpp"
#include "spec/names.hpp"
#include "spec/placement.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

/// Folders of the root where something else is mounted in the guest.
constexpr std::array k_other_file_systems{"/dev", "/proc", "/run", "/sys"};

std::string to_text(const PartitionRef& ref) { return in_quotes(ref.drive + '.' + ref.partition); }

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
    const auto* drive = find_drive(area.where.drive);
    const auto* partition = drive != nullptr ? find_partition(*drive, area.where.partition) : nullptr;
    if (partition == nullptr) {
      table.fault(key, "there is no partition " + to_text(area.where),
                  suggest(area.where.drive + '.' + area.where.partition, all_partitions()));
      return;
    }
    if (!m_sound) return;
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
      table.fault("partition", fmt::format("partition {} is ext4, no swap", to_text(area.where)),
                  "use one with type = \"swap\", or a file on it: { file = \"/swapfile\", on = ... }");
    }
    if (!m_partitions.insert(area.where).second) {
      table.fault("partition", fmt::format("partition {} is used twice in this scenario", to_text(area.where)));
    }
  }

  void check_file(TableReader& table, const SwapArea& area, const Partition& partition, Bytes room) {
    if (partition.type != PartitionType::ext4) {
      table.fault("on", fmt::format("{} is a swap partition and holds no files", to_text(area.where)),
                  "use one with type = \"ext4\", or the whole of it: { partition = ... }");
      return;
    }
    if (partition.holds_image) check_root_folder(table, area);
    if (!m_files.emplace(area.where, area.file).second) {
      table.fault("file", fmt::format("file {} on {} is used twice in this scenario", in_quotes(area.file),
                                      to_text(area.where)));
    }
    if (!area.beside.empty() && area.beside != area.file && !m_files.emplace(area.where, area.beside).second) {
      table.fault("beside", fmt::format("file {} on {} is used twice in this scenario", in_quotes(area.beside),
                                        to_text(area.where)));
    }
    Bytes& taken = m_taken[area.where];
    // Sizes end at 2^50, so that twice one is no overflow.
    const Bytes wanted = area.beside.empty() ? area.size : area.size + area.size;
    if (room.count > 0 && (wanted > room || taken > room - wanted)) {
      table.fault("size",
                  fmt::format("the swap files on {} take more than the {} of its file system", to_text(area.where),
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

  const Drive* find_drive(const std::string& name) const {
    const auto found = std::find_if(m_drives.begin(), m_drives.end(), [&](const auto& d) { return d.name == name; });
    return found != m_drives.end() ? &*found : nullptr;
  }

  static const Partition* find_partition(const Drive& drive, const std::string& name) {
    const auto& partitions = drive.partitions;
    const auto found =
        std::find_if(partitions.begin(), partitions.end(), [&](const auto& p) { return p.name == name; });
    return found != partitions.end() ? &*found : nullptr;
  }

  std::vector<std::string> all_partitions() const {
    std::vector<std::string> names;
    for (const auto& drive : m_drives) {
      for (const auto& partition : drive.partitions) names.push_back(drive.name + '.' + partition.name);
    }
    return names;
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

Scenario read_scenario(TableReader& table, const Guest& guest, const ReadDrives& drives,
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
  table.finish();
  return scenario;
}

}  // namespace

std::vector<Scenario> read_scenarios(TableReader& root, const Guest& guest, const ReadDrives& drives,
                                     const std::vector<std::string>& image_names) {
  std::vector<Scenario> scenarios;
  root.require("scenarios", "[[scenarios]]");
  auto tables = root.tables("scenarios", "this scenario");
  if (!tables) return scenarios;
  if (tables->empty()) root.fault("scenarios", "there is no scenario", "write [[scenarios]]");
  NameList names("scenario");
  for (auto& table : *tables) scenarios.push_back(read_scenario(table, guest, drives, image_names, names));
  return scenarios;
}

}  // namespace swaprig::spec
