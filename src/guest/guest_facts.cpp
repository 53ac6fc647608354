#include "guest/guest_facts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "guest/numbers.hpp"
#include "guest/swap_table.hpp"

namespace swaprig::guest {

namespace {

constexpr std::chrono::seconds k_facts_timeout{120};
constexpr std::size_t k_most_drives = 256;

[[noreturn]] void broken(const std::string& what) { throw AgentError("the guest's facts are broken: " + what); }

wire::Fields fields_of(std::string_view text) {
  wire::Fields fields;
  if (!wire::decode_fields(text, fields)) broken("a line is not KEY=VALUE");
  return fields;
}

std::int64_t number(const std::string& key, const std::string& value) {
  const auto found = to_integer(value);
  if (!found || *found < 0) broken(key + "=" + printable_line(value));
  return *found;
}

GuestPartition parse_partition(const std::string& text) {
  const auto words = split_words(text);
  if (words.size() != 4) broken("partition=" + printable_line(text));
  const auto count = number("partition", words[1]);
  if (count < 1 || count > 1024) broken("partition=" + printable_line(text));
  return {words[0], static_cast<int>(count), number("partition", words[2]), number("partition", words[3])};
}

FoundDrive parse_drive(std::string_view text) {
  FoundDrive found;
  for (const auto& [key, value] : fields_of(text)) {
    if (key == "device") found.drive.device = value;
    if (key == "serial") found.drive.serial = value;
    if (key == "size_bytes") found.drive.size_bytes = number(key, value);
    if (key == "rotational") found.drive.rotational = value == "1";
    if (key == "scheduler") found.drive.scheduler = value;
    if (key == "read_ahead_kib") found.drive.read_ahead_kib = number(key, value);
    if (key == "logical_sector_bytes") found.drive.logical_sector_bytes = number(key, value);
    if (key == "physical_sector_bytes") found.drive.physical_sector_bytes = number(key, value);
    if (key == "partition") found.partitions.push_back(parse_partition(value));
  }
  return found;
}

/// Values of several numbers come back with tabs between them.
ReadBack parse_sysctl(std::string_view text) {
  ReadBack back;
  std::string error;
  for (const auto& [key, value] : fields_of(text)) {
    if (key == "name") back.what = value;
    if (key == "wanted") back.wanted = value;
    if (key == "found") back.found = value;
    if (key == "error") error = value;
  }
  back.holds = error.empty() && split_words(back.wanted) == split_words(back.found);
  if (!error.empty()) back.found += back.found.empty() ? error : " (" + error + ")";
  return back;
}

std::string seen(const GuestFacts& facts) {
  std::vector<std::string> parts;
  for (const auto& found : facts.drives) {
    parts.push_back(printable_line(found.drive.device + " " + found.drive.serial, 80));
  }
  return parts.empty() ? "none" : join(parts, ", ");
}

}  // namespace

const FoundDrive* GuestFacts::by_serial(const std::string& serial) const {
  const auto found =
      std::find_if(drives.begin(), drives.end(), [&](const FoundDrive& d) { return d.drive.serial == serial; });
  return found == drives.end() ? nullptr : &*found;
}

const FoundDrive* GuestFacts::holding(const std::string& block_device) const {
  for (const auto& found : drives) {
    if (found.drive.device == block_device) return &found;
    for (const auto& partition : found.partitions) {
      if (partition.device == block_device) return &found;
    }
  }
  return nullptr;
}

std::string partition_device(const GuestFacts& facts, const std::string& serial, int partition_number) {
  const auto* const drive = facts.by_serial(serial);
  if (drive == nullptr) throw AgentError("the guest has no drive with serial " + serial + "; it has: " + seen(facts));
  for (const auto& partition : drive->partitions) {
    if (partition.number == partition_number) return "/dev/" + partition.device;
  }
  throw AgentError("drive " + serial + " has no partition " + std::to_string(partition_number) + " in the guest");
}

void name_drives(GuestFacts& facts, const std::map<std::string, std::string>& serial_by_drive) {
  for (const auto& [name, serial] : serial_by_drive) {
    int count = 0;
    for (auto& found : facts.drives) {
      if (found.drive.serial != serial) continue;
      found.drive.drive = name;
      ++count;
    }
    if (count == 1) continue;
    throw AgentError("the guest has " + std::string(count == 0 ? "no drive" : "several drives") + " with serial " +
                     serial + " (" + name + "); it has: " + seen(facts));
  }
}

GuestFacts read_facts(GuestAgent& agent, const std::map<std::string, std::string>& sysctls) {
  std::vector<std::string> command = {wire::k_probe_path, "facts"};
  for (const auto& [name, value] : sysctls) command.push_back("--sysctl=" + name + "=" + value);
  const auto result = agent.exec(command, k_facts_timeout);
  if (result.status != 0) throw AgentError("the probe could not read the guest's facts: " + printable_line(result.err));
  return parse_facts(result.out);
}

GuestFacts parse_facts(std::string_view text) {
  wire::Sections sections;
  if (!wire::decode_sections(text, sections)) broken("a section is cut");
  GuestFacts facts;
  for (const auto& [name, body] : sections) {
    if (name == "release") facts.kernel_release = std::string(body);
    if (name == "cmdline") facts.kernel_command_line = std::string(body);
    if (name == "swaps") facts.swaps = parse_swaps(body);
    if (name == "drive") facts.drives.push_back(parse_drive(body));
    if (name == "sysctl") facts.sysctls.push_back(parse_sysctl(body));
    if (name == "settings") {
      for (const auto& [key, value] : fields_of(body)) facts.settings[key] = value;
    }
    if (facts.drives.size() > k_most_drives) broken("too many drives");
  }
  if (facts.kernel_release.empty()) broken("no kernel release");
  return facts;
}

}  // namespace swaprig::guest
