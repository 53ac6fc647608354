#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/wire.hpp"
#include "spec/kind.hpp"
#include "spec/table_reader.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {

/// The memory workload that is built into the probe.
class MemoryWorkload final : public WorkloadKind {
 public:
  std::string name() const override { return "memory"; }

  Workload read(TableReader& table) const override {
    const std::array<std::string, 2> patterns{"sweep", "random"};
    table.require("size", "size = \"300 MiB\"");
    const auto size = table.size("size", {mib(1), Bytes{std::uint64_t{1} << 44U}}).value_or(mib(1));
    const auto& pattern = patterns[table.choice("pattern", patterns).value_or(0)];
    const auto passes = table.integer("passes", {1, 100000}).value_or(1);
    const auto write_share = table.number("write_share", {0.0, 1.0}).value_or(0.5);
    const auto compressible = table.number("compressible", {0.0, 1.0}).value_or(0.0);
    const auto seed = table.integer("seed", {0, std::numeric_limits<std::int64_t>::max()}).value_or(1);
    if (size.count % 4096 != 0) table.fault("size", "size has to be a multiple of 4 KiB, the size of a page");

    Workload workload;
    workload.command = {wire::k_probe_path,
                        "memory",
                        fmt::format("--size={}", size.count),
                        "--pattern=" + pattern,
                        fmt::format("--passes={}", passes),
                        fmt::format("--write-share={}", write_share),
                        fmt::format("--compressible={}", compressible),
                        fmt::format("--seed={}", seed)};
    workload.summary =
        fmt::format("memory: {}, {}, {} {}", exact(size), pattern, passes, passes == 1 ? "pass" : "passes");
    return workload;
  }
};

template const WorkloadKind& the<WorkloadKind, MemoryWorkload>();

}  // namespace swaprig::spec
