#include "spec/placement.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "spec/kind_table.hpp"

namespace swaprig::spec {

/// The table of kinds.
constexpr std::array k_placement_kinds{
    &the<PlacementKind, class PartitionPlacement>,
    &the<PlacementKind, class DdPlacement>,
    &the<PlacementKind, class FallocatePlacement>,
};

std::span<const PlacementKind* const> placement_kinds() {
  static const auto kinds = all_of(k_placement_kinds);
  return kinds;
}

const PlacementKind& placement_kind(const std::string& name) {
  const auto kinds = placement_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto* kind) { return kind->name() == name; });
  SWAPRIG_ASSERT(found != kinds.end());
  return **found;
}

}  // namespace swaprig::spec
