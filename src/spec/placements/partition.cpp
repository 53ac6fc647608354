#include "base/assert.hpp"
#include "spec/kind.hpp"
#include "spec/placement.hpp"
#include "spec/placements/swap_area.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// { partition = "DRIVE.PARTITION" }: a partition of type swap, as large as it is.
class PartitionPlacement final : public PlacementKind {
 public:
  std::string name() const override { return "partition"; }

  bool recognises(const TableReader& table) const override { return table.has("partition"); }

  SwapArea read(TableReader& table) const override {
    SwapArea area;
    area.kind = name();
    area.where = read_partition(table, "partition");
    area.priority = read_priority(table);
    return area;
  }

  std::vector<PlacementStep> place(const SwapArea& area, const GuestPaths& paths) const override {
    const auto& path = device(area, paths);
    return {mkswap_step(path), swapon_step(path, area, {})};
  }

  ExpectedSwap expected(const SwapArea& area, const GuestPaths& paths) const override {
    return {device(area, paths), "partition", area.size - k_header_page, area.priority};
  }

 private:
  static const std::string& device(const SwapArea& area, const GuestPaths& paths) {
    const auto found = paths.device.find(area.where);
    SWAPRIG_ASSERT(found != paths.device.end());
    return found->second;
  }
};

template const PlacementKind& the<PlacementKind, PartitionPlacement>();

}  // namespace swaprig::spec
