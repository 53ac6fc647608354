#include "simdrive/model/counters.hpp"

#include "simdrive/model/hdd.hpp"
#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {
constexpr std::uint64_t k_gib = 1U << 30U;

RegionMap root_and_swap() { return RegionMap({{"root", k_gib, 100 * k_gib}, {"swap", 1000 * k_gib, 4 * k_gib}}); }
}  // namespace

TEST_CASE("bytes belong to the region they lie in") {
  const RegionMap map = root_and_swap();
  CHECK(map.index_of(0) == 0);
  CHECK(map.index_of(k_gib - 1) == 0);
  CHECK(map.index_of(k_gib) == 1);
  CHECK(map.index_of(101 * k_gib) == 0);
  CHECK(map.index_of(1003 * k_gib) == 2);
  CHECK(map.name(0) == "other");
  CHECK(map.name(2) == "swap");
}

TEST_CASE("a swap file in a file system is a region of its own, extent by extent") {
  RegionMap map({{"root", k_gib, 100 * k_gib}, {"swap files", 0, 0}});
  CHECK(map.index_of(3 * k_gib) == 1);
  CHECK(map.extend({"swap files", 10 * k_gib, k_gib}));
  CHECK(map.extend({"swap files", 3 * k_gib, k_gib}));
  CHECK(map.index_of(3 * k_gib - 1) == 1);
  CHECK(map.index_of(3 * k_gib) == 2);
  CHECK(map.index_of(4 * k_gib - 1) == 2);
  CHECK(map.index_of(4 * k_gib) == 1);
  CHECK(map.index_of(10 * k_gib + 1) == 2);
  CHECK_FALSE(map.extend({"swap files", 3 * k_gib + 4096, 4096}));
  CHECK_FALSE(map.extend({"swap files", 2 * k_gib, k_gib + 1}));
  CHECK_FALSE(map.extend({"no such region", 20 * k_gib, 4096}));
}

TEST_CASE("the times of the arm add up") {
  Hdd model(full_hdd(), root_and_swap());
  VirtualHost host(model);
  RandomOffsets offsets(0, 1800 * k_gib, 4096);
  for (int i = 0; i < 500; ++i) {
    host.run(i % 2 ? Operation::read : Operation::write, offsets(), 4096);
  }
  host.flush();
  const Counters& counters = model.counters();
  CHECK(counters.busy == counters.seek + counters.rotation + counters.transfer);
  Time by_region{0};
  for (const auto& region : counters.by_region) by_region += region.arm;
  CHECK(by_region == counters.busy);
  Time crossing{0};
  std::uint64_t moves = 0;
  for (const auto& move : counters.crossings) {
    crossing += move.seek + move.rotation;
    moves += move.moves;
  }
  CHECK(crossing == counters.seek + counters.rotation);
  CHECK(moves == counters.arm_reads + counters.arm_writes);
  CHECK(counters.distance > 0);
  CHECK(counters.distance_bytes > 0);
}

TEST_CASE("requests, bytes and latencies are counted by operation") {
  Hdd model(full_hdd(), root_and_swap());
  VirtualHost host(model);
  const Time latency = host.read(2 * k_gib, 8192);
  host.write(1001 * k_gib, 4096);
  const Counters& counters = model.counters();
  CHECK(counters[Operation::read].requests == 1);
  CHECK(counters[Operation::read].bytes == 8192);
  CHECK(counters[Operation::read].latency == latency);
  CHECK(counters[Operation::read].sizes.count(Histogram::bucket_of(8192)) == 1);
  CHECK(counters[Operation::read].latencies.total() == 1);
  CHECK(counters[Operation::write].bytes == 4096);
  CHECK(counters.by_region[1].bytes_read == 8192);
  CHECK(counters.by_region[2].bytes_written == 4096);
  CHECK(counters.write_hits == 1);
}

TEST_CASE("crossing between file system and swap is told apart from work within one") {
  Hdd model(bare_hdd(), root_and_swap());
  VirtualHost host(model);
  RandomOffsets root(k_gib, k_gib, 4096);
  RandomOffsets swap(1000 * k_gib, k_gib, 4096);
  host.read(root(), 4096);
  for (int i = 0; i < 100; ++i) {
    host.read(root(), 4096);
    host.read(swap(), 4096);
  }
  const Counters& counters = model.counters();
  const auto cell = [&](std::size_t from, std::size_t to) { return counters.crossings[from * 3 + to]; };
  CHECK(cell(1, 2).moves == 100);
  CHECK(cell(2, 1).moves == 99);
  CHECK(cell(1, 1).moves == 1);
  CHECK(cell(2, 2).moves == 0);
  CHECK(ms(cell(1, 2).seek) / 100 > 9);
  CHECK(cell(1, 2).seek + cell(2, 1).seek > cell(1, 1).seek * 100);
}

TEST_CASE("queueing is counted as waiting") {
  DriveParameters parameters = bare_hdd();
  parameters.queue_depth = 1;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  const auto first = host.send(Operation::read, 0, 4096);
  const auto second = host.send(Operation::read, 500 * k_gib, 4096);
  host.due(second);
  CHECK(model.counters().queue == host.due(first));
}
