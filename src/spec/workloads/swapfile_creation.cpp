#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "spec/kind.hpp"
#include "spec/partitions.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {
namespace {

constexpr std::size_t k_most_sizes = 16;
constexpr std::size_t k_most_blocks = 16;
constexpr Range<Bytes> k_sizes{mib(1), Bytes{std::uint64_t{1} << 44U}};
constexpr Range<Bytes> k_blocks{Bytes{512}, gib(1)};
constexpr Bytes k_page{4096};

struct Wishes {
  std::vector<Bytes> sizes;
  std::vector<Bytes> blocks;
  std::vector<bool> durable;
  bool by_fallocate = false;
  bool by_dd = false;
};

std::vector<Bytes> read_sizes(TableReader& table) {
  std::set<Bytes> seen;
  table.require("sizes", "sizes = [\"1 GiB\", \"2 GiB\", \"4 GiB\"]");
  const auto sizes = table.sizes("sizes", k_sizes, [&](Bytes size) -> std::string {
    if (size.count % k_page.count != 0) return "a size has to be a multiple of 4 KiB, the size of a page";
    return seen.insert(size).second ? "" : fmt::format("the size {} stands here twice", exact(size));
  });
  if (sizes && sizes->empty()) table.fault("sizes", "there is no size");
  if (sizes && sizes->size() > k_most_sizes) table.fault("sizes", fmt::format("at most {} sizes", k_most_sizes));
  return sizes.value_or(std::vector<Bytes>{});
}

void read_methods(TableReader& table, Wishes& wishes) {
  const std::array<std::string, 2> known{wire::k_by_fallocate, wire::k_by_dd};
  std::set<std::string> seen;
  const auto methods = table.texts("methods", [&](const std::string& method) -> std::string {
    if (std::find(known.begin(), known.end(), method) == known.end()) {
      return fmt::format("{} is no method; {}", in_quotes(method), suggest(method, known));
    }
    return seen.insert(method).second ? "" : fmt::format("{} stands here twice", in_quotes(method));
  });
  if (methods && methods->empty()) table.fault("methods", "there is no method");
  wishes.by_fallocate = !table.has("methods") || seen.contains(wire::k_by_fallocate);
  wishes.by_dd = !table.has("methods") || seen.contains(wire::k_by_dd);
}

/// Each size has to be a whole number of each block, or the two methods would not make the same file.
void read_blocks(TableReader& table, Wishes& wishes) {
  std::set<Bytes> seen;
  const auto blocks = table.sizes("blocks", k_blocks, [&](Bytes block) -> std::string {
    for (const auto size : wishes.sizes) {
      if (block > size) return fmt::format("a block of {} is larger than the size {}", exact(block), exact(size));
      if (size.count % block.count != 0) {
        return fmt::format("the size {} is not a multiple of the block {}", exact(size), exact(block));
      }
    }
    return seen.insert(block).second ? "" : fmt::format("the block {} stands here twice", exact(block));
  });
  if (!table.has("blocks")) {
    wishes.blocks = {mib(1)};
    return;
  }
  if (!wishes.by_dd) table.fault_at_key("blocks", "blocks are dd's, and methods has no \"dd\"");
  if (blocks && blocks->empty()) table.fault("blocks", "there is no block");
  if (blocks && blocks->size() > k_most_blocks) table.fault("blocks", fmt::format("at most {} blocks", k_most_blocks));
  wishes.blocks = blocks.value_or(std::vector<Bytes>{});
}

std::vector<bool> read_durable(TableReader& table) {
  const std::array<std::string, 3> choices{"no", "yes", "both"};
  const auto choice = table.choice("durable", choices).value_or(2);
  if (choice == 2) return {false, true};
  return {choice == 1};
}

std::vector<CreationCell> cells_of(const Wishes& wishes) {
  std::vector<CreationCell> cells{{wire::k_control, Bytes{}, Bytes{}, false}};
  for (const auto size : wishes.sizes) {
    for (const bool durable : wishes.durable) {
      if (wishes.by_fallocate) {
        cells.push_back({wire::k_by_fallocate, size, Bytes{}, durable});
        cells.push_back({wire::k_bare_call, size, Bytes{}, durable});
      }
      if (!wishes.by_dd) continue;
      for (const auto block : wishes.blocks) cells.push_back({wire::k_by_dd, size, block, durable});
    }
  }
  return cells;
}

std::string summary_of(const Wishes& wishes, int repeat) {
  const auto [least, most] = std::minmax_element(wishes.sizes.begin(), wishes.sizes.end());
  std::vector<std::string> ways;
  if (wishes.by_fallocate) ways.emplace_back("fallocate");
  if (wishes.by_dd) {
    std::vector<std::string> blocks;
    for (const auto block : wishes.blocks) blocks.push_back(exact(block));
    ways.push_back("dd in blocks of " + join(blocks, ", "));
  }
  const auto sizes = wishes.sizes.empty() ? std::string("no size")
                     : *least == *most    ? exact(*least)
                                          : fmt::format("{} to {}", exact(*least), exact(*most));
  return fmt::format("making swap files of {} by {}{}, each {}", sizes, join(ways, " and by "),
                     wishes.durable.size() == 2  ? ", with and without fsync"
                     : wishes.durable.front() ? ", with fsync"
                                              : "",
                     repeat == 1 ? "once" : fmt::format("{} times", repeat));
}

}  // namespace

/// Makes swap files by fallocate and by dd, and times nothing but the making.
class SwapfileCreationWorkload final : public WorkloadKind {
 public:
  std::string name() const override { return k_swapfile_creation; }

  Workload read(TableReader& table) const override {
    Workload workload;
    Wishes wishes;
    workload.on = partition_under(table, "on");
    wishes.sizes = read_sizes(table);
    read_methods(table, wishes);
    read_blocks(table, wishes);
    wishes.durable = read_durable(table);
    const auto repeat = static_cast<int>(table.integer("repeat", {1, 100}).value_or(5));
    const auto nocow = table.boolean("nocow").value_or(true);

    workload.creation = CreationPlan{cells_of(wishes), repeat};
    workload.command = {wire::k_probe_path, "swapfiles", fmt::format("--repeat={}", repeat),
                        fmt::format("--nocow={}", nocow ? 1 : 0)};
    for (const auto& cell : workload.creation->cells) {
      workload.command.push_back(
          fmt::format("--cell={}:{}:{}:{}", cell.method, cell.size.count, cell.block.count, cell.durable ? 1 : 0));
    }
    workload.summary = summary_of(wishes, repeat) + (nocow ? "" : "; on btrfs copy-on-write");
    return workload;
  }
};

template const WorkloadKind& the<WorkloadKind, SwapfileCreationWorkload>();

}  // namespace swaprig::spec
