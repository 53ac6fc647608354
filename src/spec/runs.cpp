#include <array>
#include <limits>

#include "spec/partitions.hpp"
#include "spec/sections.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {
namespace {

using namespace std::chrono_literals;

constexpr Range<std::chrono::milliseconds> k_timeout{1s, 30 * 24h};
constexpr Range<std::chrono::milliseconds> k_sample{0s, 1h};
constexpr std::chrono::milliseconds k_shortest_sample{10};

void read_workload(TableReader& root, const ReadDrives& drives, Workload& workload, Runs& runs) {
  root.require("workload", "[workload]");
  auto table = root.table("workload", "[workload]");
  if (!table) return;
  std::vector<std::string> names;
  for (const auto* kind : workload_kinds()) names.push_back(kind->name());
  table->require("kind", "kind = \"memory\" or kind = \"command\"");
  const auto kind = table->choice("kind", names);
  if (!kind) return;
  workload = workload_kinds()[*kind]->read(*table);
  workload.kind = names[*kind];
  if (workload.on) check_room_for_file(*table, "on", *workload.on, drives, "sizes", workload.creation->largest());
  if (const auto timeout = table->duration("timeout", k_timeout)) runs.timeout = *timeout;
  table->finish();
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

void read_workload_and_runs(TableReader& root, const ReadDrives& drives, Workload& workload, Runs& runs) {
  read_workload(root, drives, workload, runs);
  read_runs(root, runs);
}

}  // namespace swaprig::spec
