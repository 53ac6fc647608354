#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/wire.hpp"
#include "spec/kind.hpp"
#include "spec/table_reader.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {

constexpr Bytes k_most_reads{std::uint64_t{1} << 40U};

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
    const auto reads = table.size("file_reads", {Bytes{0}, k_most_reads}).value_or(Bytes{0});
    if (reads.count % wire::k_file_piece != 0) {
      table.fault("file_reads", "file_reads has to be a multiple of 64 KiB, of which it reads one at a time");
    }
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
    if (reads.count > 0) workload.command.push_back(fmt::format("--file-reads={}", reads.count));
    workload.summary =
        fmt::format("memory: {}, {}, {} {}", exact(size), pattern, passes, passes == 1 ? "pass" : "passes");
    if (reads.count > 0) workload.summary += fmt::format(", reading {} of files", exact(reads));
    return workload;
  }
};

template const WorkloadKind& the<WorkloadKind, MemoryWorkload>();

}  // namespace swaprig::spec
