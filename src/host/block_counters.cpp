#include "host/block_counters.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace swaprig::host {
namespace {

using Json = nlohmann::json;

/// "/machine/peripheral/ua-drive0/virtio-backend" or ".../ua-drive0" belong to "ua-drive0".
bool belongs_to(const Json& entry, const std::string& alias) {
  const auto parts = split(entry.value("qdev", ""), '/');
  return std::find(parts.begin(), parts.end(), alias) != parts.end();
}

BlockCounters counters_of(const std::string& drive, const Json& stats) {
  const auto number = [&](const char* key) { return stats.at(key).get<std::uint64_t>(); };
  BlockCounters counters;
  counters.drive = drive;
  counters.read_bytes = number("rd_bytes");
  counters.read_requests = number("rd_operations");
  counters.write_bytes = number("wr_bytes");
  counters.write_requests = number("wr_operations");
  counters.flush_requests = number("flush_operations");
  counters.read_ns = number("rd_total_time_ns");
  counters.write_ns = number("wr_total_time_ns");
  counters.failed_reads = number("failed_rd_operations");
  counters.failed_writes = number("failed_wr_operations");
  return counters;
}

}  // namespace

std::vector<BlockCounters> parse_block_counters(const std::string& answer, const std::vector<std::string>& drives) {
  try {
    const Json entries = Json::parse(answer).at("return");
    std::vector<BlockCounters> counters;
    for (std::size_t i = 0; i < drives.size(); ++i) {
      const auto found = std::find_if(entries.begin(), entries.end(),
                                      [&](const Json& entry) { return belongs_to(entry, drive_alias(i)); });
      if (found == entries.end()) {
        throw HostError("reading QEMU's block counters: drive " + printable_line(drives[i]) + " is not among them");
      }
      counters.push_back(counters_of(drives[i], found->at("stats")));
    }
    return counters;
  } catch (const Json::exception& fault) {
    throw HostError(std::string("reading QEMU's block counters: the answer is not as expected: ") + fault.what());
  }
}

std::string monitor_fault(const std::string& answer) {
  const Json json = Json::parse(answer, nullptr, false);
  if (!json.is_object()) return "the answer is not JSON";
  const auto error = json.find("error");
  if (error == json.end()) return "";
  return error->is_object() ? error->value("class", "error") + ": " + error->value("desc", "") : "an error";
}

}  // namespace swaprig::host
