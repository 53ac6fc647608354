#include "spec/placements/swap_area.hpp"

#include "spec/partitions.hpp"

namespace swaprig::spec {

PartitionRef read_partition(TableReader& table, std::string_view key) {
  table.require(key, std::string(key) + " = \"DRIVE.PARTITION\"");
  return partition_under(table, key).value_or(PartitionRef{});
}

std::optional<int> read_priority(TableReader& table) {
  const auto priority = table.integer("priority", {0, 32767});
  return priority ? std::optional<int>(static_cast<int>(*priority)) : std::nullopt;
}

PlacementStep mkswap_step(const std::string& path) { return {"write the swap header", {"mkswap", path}, {}}; }

PlacementStep swapon_step(const std::string& path, const SwapArea& area, std::vector<std::string> unsupported_if) {
  std::vector<std::string> command{"swapon"};
  if (area.priority) command.insert(command.end(), {"-p", std::to_string(*area.priority)});
  command.push_back(path);
  return {"switch the swap area on", std::move(command), std::move(unsupported_if)};
}

}  // namespace swaprig::spec
