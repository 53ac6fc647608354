#include "spec/workload.hpp"

#include <array>

#include "spec/kind_table.hpp"

namespace swaprig::spec {

/// The table of kinds.
constexpr std::array k_workload_kinds{
    &the<WorkloadKind, class MemoryWorkload>,
    &the<WorkloadKind, class CommandWorkload>,
    &the<WorkloadKind, class SwapfileCreationWorkload>,
};

std::span<const WorkloadKind* const> workload_kinds() {
  static const auto kinds = all_of(k_workload_kinds);
  return kinds;
}

}  // namespace swaprig::spec
