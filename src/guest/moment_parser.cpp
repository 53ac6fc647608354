#include "guest/moment_parser.hpp"

#include "base/text.hpp"
#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "guest/numbers.hpp"
#include "guest/swap_table.hpp"

namespace swaprig::guest {

namespace {

constexpr std::size_t k_most_counters = 2000;
constexpr std::size_t k_most_disks = 1000;

[[noreturn]] void broken(const std::string& what, std::string_view line) {
  throw AgentError("the probe's result is broken: " + what + ": " + printable_line(line));
}

void add(Counters& counters, const std::string& name, std::int64_t value, std::string_view line) {
  if (counters.size() >= k_most_counters) broken("too many counters", line);
  counters[name] = value;
}

}  // namespace

Counters parse_vmstat(std::string_view text) {
  Counters counters;
  for (const auto& line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() != 2) continue;
    if (const auto value = to_integer(words[1])) add(counters, words[0], *value, line);
  }
  return counters;
}

Counters parse_meminfo(std::string_view text) {
  Counters counters;
  for (const auto& line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() < 2 || !words[0].ends_with(':')) continue;
    const auto value = to_integer(words[1]);
    if (value) add(counters, words[0].substr(0, words[0].size() - 1), *value, line);
  }
  return counters;
}

std::vector<DiskStat> parse_diskstats(std::string_view text) {
  // Linux, Documentation/admin-guide/iostats.rst; sectors of 512 bytes whatever the drive's own are.
  constexpr std::int64_t k_sector = 512;
  constexpr std::size_t k_least_words = 14;
  std::vector<DiskStat> disks;
  for (const auto& line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.empty()) continue;
    if (words.size() < k_least_words || disks.size() >= k_most_disks) broken("diskstats", line);
    const auto number = [&](std::size_t index) {
      const auto value = to_integer(words[index]);
      if (!value || *value < 0) broken("diskstats", line);
      return *value;
    };
    DiskStat disk;
    disk.device = words[2];
    disk.reads = number(3);
    disk.read_bytes = number(5) * k_sector;
    disk.read_ms = number(6);
    disk.writes = number(7);
    disk.written_bytes = number(9) * k_sector;
    disk.write_ms = number(10);
    disk.busy_ms = number(12);
    disks.push_back(disk);
  }
  return disks;
}

void parse_pressure(std::string_view text, const std::string& resource, Counters& pressure_us) {
  constexpr std::string_view k_total = "total=";
  for (const auto& line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.empty()) continue;
    if ((words.front() != "some" && words.front() != "full") || !words.back().starts_with(k_total)) {
      broken("pressure", line);
    }
    const auto total = to_integer(std::string_view(words.back()).substr(k_total.size()));
    if (!total || *total < 0) broken("pressure", line);
    pressure_us[resource + "." + words.front()] = *total;
  }
}

GuestMoment parse_moment(std::string_view text) {
  wire::Sections sections;
  if (!wire::decode_sections(text, sections)) broken("a section is cut", text.substr(0, 80));
  GuestMoment moment;
  for (const auto& [name, body] : sections) {
    if (name == "vmstat") moment.vmstat = parse_vmstat(body);
    if (name == "meminfo") moment.meminfo_kib = parse_meminfo(body);
    if (name == "diskstats") moment.disks = parse_diskstats(body);
    if (name == "swaps") moment.swaps = parse_swaps(body);
    if (name == "clocksource") moment.clocksource = std::string(trim(body));
    if (name == "pressure_memory") parse_pressure(body, "memory", moment.pressure_us);
    if (name == "pressure_io") parse_pressure(body, "io", moment.pressure_us);
    if (name == "pressure_cpu") parse_pressure(body, "cpu", moment.pressure_us);
  }
  return moment;
}

}  // namespace swaprig::guest
