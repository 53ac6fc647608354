#include <array>
#include <limits>

#include "base/text.hpp"
#include "spec/partitions.hpp"
#include "spec/sections.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {
namespace {

using namespace std::chrono_literals;

constexpr Range<std::chrono::milliseconds> k_timeout{1s, 30 * 24h};
constexpr Range<std::chrono::milliseconds> k_sample{0s, 1h};
constexpr std::chrono::milliseconds k_shortest_sample{10};
/// What the probe keeps at most (probe/job.cpp).
constexpr Range<Bytes> k_output{kib(1), mib(4)};

void read_common(TableReader& table, Workload& workload) {
  if (const auto cores = table.integer("cores", {1, 256})) workload.cores = static_cast<int>(*cores);
  if (const auto nice = table.integer("nice", {-20, 19})) workload.nice = static_cast<int>(*nice);
  if (const auto output = table.size("output", k_output)) workload.output = *output;
  workload.verify = table.text("verify").value_or("");
  if (table.has("verify") && trim(workload.verify).empty()) table.fault("verify", "verify is empty");
}

/// One table of a workload, to its end.
void read_workload_table(TableReader& table, const ReadDrives& drives, Workload& workload, Runs& runs) {
  std::vector<std::string> names;
  for (const auto* kind : workload_kinds()) names.push_back(kind->name());
  table.require("kind", "kind = \"memory\" or kind = \"command\"");
  const auto kind = table.choice("kind", names);
  if (!kind) return;
  workload = workload_kinds()[*kind]->read(table);
  workload.kind = names[*kind];
  read_common(table, workload);
  if (workload.on) check_room_for_file(table, "on", *workload.on, drives, "sizes", workload.creation->largest());
  if (const auto timeout = table.duration("timeout", k_timeout)) runs.timeout = *timeout;
  table.finish();
}

void read_workload(TableReader& root, Extent extent, const ReadDrives& drives, Workload& workload, Runs& runs) {
  root.require("workload", "[workload]");
  auto table = root.table("workload", "[workload]");
  if (!table) return;
  auto quick_runs = runs;
  Workload quick;
  const bool has_quick = table->has("quick");
  if (has_quick) {
    auto own = table->table("quick", "[workload.quick]");
    if (own && own->has("kind")) own->fault_at_key("kind", "a quick look is of the same kind as the workload");
    // Faults of keys that both share are found twice, at the same place, and shown once.
    if (const auto merged = table->overlaid("quick"); merged && !own->has("kind")) {
      auto overlay = table->with(*merged, "[workload]");
      read_workload_table(overlay, drives, quick, quick_runs);
    }
  }
  read_workload_table(*table, drives, workload, runs);
  if (extent == Extent::quick && has_quick) {
    workload = std::move(quick);
    runs.timeout = quick_runs.timeout;
  }
}

void read_min_swap(TableReader& table, Runs& runs) {
  const auto text = table.peek("min_swap");
  if (text && text->find('%') == std::string::npos) {
    runs.min_swap.bytes = table.size("min_swap", {Bytes{0}, Bytes{std::uint64_t{1} << 50U}});
  } else if (const auto fraction = table.percentage("min_swap", {0.0, 100.0})) {
    runs.min_swap.fraction_of_memory = *fraction;
  }
}

void read_timeout(TableReader& root, TableReader& table, Runs& runs) {
  const auto timeout = table.duration("timeout", k_timeout);
  if (timeout) runs.timeout = *timeout;
  auto workload = root.table("workload", "[workload]");
  if (table.has("timeout") && workload && workload->has("timeout")) {
    table.fault_at_key("timeout", "the timeout stands in [workload] already", "keep one of the two");
  }
}

void read_runs(TableReader& root, Runs& runs) {
  const std::array<std::string, 3> orders{"mirrored", "random", "sequential"};
  const std::array<std::string, 2> scores{"best", "median"};
  auto table = root.table("runs", "[runs]");
  if (!table) return;
  if (const auto count = table->integer("count", {1, 1000})) runs.count = static_cast<int>(*count);
  if (const auto order = table->choice("order", orders)) runs.order = static_cast<Order>(*order);
  if (const auto seed = table->integer("seed", {0, std::numeric_limits<std::int64_t>::max()})) {
    runs.seed = static_cast<std::uint64_t>(*seed);
  }
  if (const auto score = table->choice("score", scores)) runs.score = static_cast<Score>(*score);
  runs.aa = table->boolean("aa").value_or(false);
  read_timeout(root, *table, runs);
  if (const auto sample = table->duration("sample", k_sample)) {
    runs.sample = *sample;
    if (sample->count() > 0 && *sample < k_shortest_sample) {
      table->fault("sample", "sample has to be \"0 s\" (off) or at least \"10 ms\"");
    }
  }
  read_min_swap(*table, runs);
  runs.precision = table->percentage("precision", {0.001, 1.0});
  table->finish();
}

}  // namespace

void read_workload_and_runs(TableReader& root, Extent extent, const ReadDrives& drives, Workload& workload, Runs& runs) {
  read_workload(root, extent, drives, workload, runs);
  read_runs(root, runs);
  if (extent == Extent::quick) runs.count = 1;
}

}  // namespace swaprig::spec
