#include "drive/partition_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace swaprig::drive {

namespace {

constexpr Bytes k_first = mib(1);
constexpr int k_plain_sector = 512;        // what sfdisk leaves unsaid
constexpr std::size_t k_label_limit = 36;  // UTF-16 units in a GPT entry

/// UEFI and Discoverable Partitions Specification.
constexpr const char* k_swap_type = "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F";
constexpr const char* k_linux_type = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";

/// One line of the table, as we want it and as sfdisk says it.
struct Entry {
  std::uint64_t start = 0;
  std::uint64_t sectors = 0;
  std::string type;
  std::string uuid;
  std::string label;
};

std::uint64_t in_sectors(Bytes bytes, const TableStyle& style) {
  return bytes.count / static_cast<std::uint64_t>(style.sector);
}

std::string table_guid(const std::string& serial, const TableStyle& style) {
  return style.guid.empty() ? guid_from(serial, "disk") : style.guid;
}

Entry wanted_entry(const PlacedPartition& partition, const std::string& serial, const TableStyle& style) {
  return {in_sectors(partition.offset, style), in_sectors(partition.size, style),
          partition.type == spec::PartitionType::swap ? k_swap_type : k_linux_type,
          guid_from(serial, fmt::format("partition {}", partition.number)),
          slug(partition.name).substr(0, k_label_limit)};
}

void compare(const std::string& where, const std::string& what, const std::string& wanted, const std::string& found,
             std::vector<std::string>& differences) {
  if (wanted == found) return;
  differences.push_back(fmt::format("{}: {} is {} instead of {}", where, what, printable_line(found), wanted));
}

void compare(int number, const Entry& wanted, const nlohmann::json& found, std::vector<std::string>& differences) {
  const auto where = fmt::format("partition {}", number);
  compare(where, "start", std::to_string(wanted.start), std::to_string(found.at("start").get<std::uint64_t>()),
          differences);
  compare(where, "size in sectors", std::to_string(wanted.sectors),
          std::to_string(found.at("size").get<std::uint64_t>()), differences);
  compare(where, "type", wanted.type, found.at("type").get<std::string>(), differences);
  compare(where, "GUID", wanted.uuid, found.value("uuid", ""), differences);
  compare(where, "label", wanted.label, found.value("name", ""), differences);
}

}  // namespace

std::string guid_from(const std::string& serial, const std::string& what) {
  auto digest = sha256("swaprig drive\n" + serial + "\n" + what).substr(0, 32);
  std::transform(digest.begin(), digest.end(), digest.begin(),
                 [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
  digest[12] = '8';  // version
  digest[16] = '8';  // variant
  return fmt::format("{}-{}-{}-{}-{}", digest.substr(0, 8), digest.substr(8, 4), digest.substr(12, 4),
                     digest.substr(16, 4), digest.substr(20, 12));
}

std::string partition_script(const Layout& layout, const std::string& serial, const TableStyle& style) {
  auto script = fmt::format("label: gpt\nlabel-id: {}\nunit: sectors\nfirst-lba: {}\n\n", table_guid(serial, style),
                            in_sectors(k_first, style));
  for (const auto& partition : layout.partitions) {
    const auto entry = wanted_entry(partition, serial, style);
    script += fmt::format("start={}, size={}, type={}, uuid={}, name=\"{}\"\n", entry.start, entry.sectors, entry.type,
                          entry.uuid, entry.label);
  }
  return script;
}

void write_partition_table(const std::filesystem::path& drive, const Layout& layout, const std::string& serial,
                           CommandRunner& commands, const TableStyle& style) {
  Command command;
  command.program = "sfdisk";
  command.arguments = {"--no-reread", "--no-tell-kernel",  "--quiet", "--wipe",
                       "always",      "--wipe-partitions", "always",  drive.string()};
  command.input = partition_script(layout, serial, style);
  run_checked(commands, command);
}

std::vector<std::string> table_differences(const std::string& sfdisk_json, const Layout& layout,
                                           const std::string& serial, const TableStyle& style) {
  std::vector<std::string> differences;
  try {
    const auto table = nlohmann::json::parse(sfdisk_json).at("partitiontable");
    compare("table", "kind", "gpt", table.at("label").get<std::string>(), differences);
    compare("table", "GUID", table_guid(serial, style), table.at("id").get<std::string>(), differences);
    compare("table", "sector size", std::to_string(style.sector),
            std::to_string(table.value("sectorsize", k_plain_sector)), differences);
    const auto found = table.value("partitions", nlohmann::json::array());
    compare("table", "number of partitions", std::to_string(layout.partitions.size()), std::to_string(found.size()),
            differences);
    for (std::size_t i = 0; i < std::min(found.size(), layout.partitions.size()); ++i) {
      const auto& partition = layout.partitions[i];
      compare(partition.number, wanted_entry(partition, serial, style), found[i], differences);
    }
  } catch (const nlohmann::json::exception& error) {
    throw HostError(fmt::format("sfdisk --json gave an answer of another form ({}): {}", error.what(),
                                printable_line(sfdisk_json, 200)));
  }
  return differences;
}

void read_back_layout(const std::filesystem::path& drive, const Layout& layout, const std::string& serial,
                      CommandRunner& commands, const TableStyle& style) {
  Command command;
  command.program = "sfdisk";
  command.arguments = {"--json", drive.string()};
  const auto answer = run_checked(commands, command);
  const auto differences = table_differences(answer, layout, serial, style);
  if (differences.empty()) return;
  throw HostError(fmt::format("partition table of {} is not as planned:\n{}", drive.string(), join(differences, "\n")));
}

}  // namespace swaprig::drive
