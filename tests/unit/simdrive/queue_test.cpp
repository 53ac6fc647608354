#include "simdrive/model/hdd.hpp"
#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr std::uint64_t k_gib = 1U << 30U;

/// How long a batch of random reads takes that are all sent at once.
Time batch(std::uint64_t depth, int count) {
  DriveParameters parameters = bare_hdd();
  parameters.queue_depth = depth;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  RandomOffsets offsets(0, parameters.size, 4096);
  std::vector<std::uint64_t> sent;
  for (int i = 0; i < count; ++i) sent.push_back(host.send(Operation::read, offsets(), 4096));
  Time last{0};
  for (const auto id : sent) last = std::max(last, host.due(id));
  return last;
}

}  // namespace

TEST_CASE("the nearest command is served first") {
  Hdd model(bare_hdd(), RegionMap());
  VirtualHost host(model);
  host.send(Operation::read, 0, 4096);
  const auto far = host.send(Operation::read, 1500 * k_gib, 4096);
  const auto near = host.send(Operation::read, k_gib, 4096);
  CHECK(host.due(near) < host.due(far));
}

TEST_CASE("depth 1 serves in the order of arrival") {
  DriveParameters parameters = bare_hdd();
  parameters.queue_depth = 1;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  const auto first = host.send(Operation::read, 0, 4096);
  const auto far = host.send(Operation::read, 1500 * k_gib, 4096);
  const auto near = host.send(Operation::read, k_gib, 4096);
  CHECK(host.due(first) < host.due(far));
  CHECK(host.due(far) < host.due(near));
}

TEST_CASE("depth 1 lets even a cached write wait for the command before it") {
  DriveParameters parameters = full_hdd();
  parameters.queue_depth = 1;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  const auto read = host.send(Operation::read, 1500 * k_gib, 4096);
  const auto write = host.send(Operation::write, 0, 4096);
  CHECK(host.due(write) > host.due(read));
}

TEST_CASE("a deeper queue is faster") {
  const Time one = batch(1, 256);
  const Time four = batch(4, 256);
  const Time many = batch(32, 256);
  CHECK(four < one);
  CHECK(many < four);
  CHECK(ms(many) < 0.65 * ms(one));
}

TEST_CASE("the age limit saves a far command from starving") {
  DriveParameters parameters = bare_hdd();
  parameters.hdd.age_limit = milliseconds(100);
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  RandomOffsets offsets(0, 4 * k_gib, 4096);
  std::uint64_t next = host.send(Operation::read, offsets(), 4096);
  const auto far = host.send(Operation::read, 1800 * k_gib, 4096);
  for (int i = 0; i < 8; ++i) next = host.send(Operation::read, offsets(), 4096);
  std::vector<std::uint64_t> near;
  for (int i = 0; i < 500; ++i) {
    near.push_back(next);
    host.wait(milliseconds(3));
    next = host.send(Operation::read, offsets(), 4096);
  }
  const Time due = host.due(far);
  CHECK(ms(due) > 100);
  CHECK(ms(due) < 180);
}

TEST_CASE("without an age limit in reach the far command waits") {
  DriveParameters parameters = bare_hdd();
  parameters.hdd.age_limit = milliseconds(100000);
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  RandomOffsets offsets(0, 4 * k_gib, 4096);
  host.send(Operation::read, offsets(), 4096);
  const auto far = host.send(Operation::read, 1800 * k_gib, 4096);
  for (int i = 0; i < 500; ++i) {
    host.send(Operation::read, offsets(), 4096);
    host.wait(milliseconds(3));
  }
  CHECK(ms(host.due(far)) > 1000);
}

TEST_CASE("service begins when the command is there and the arm is free, not when somebody looks") {
  Hdd model(bare_hdd(), RegionMap());
  model.submit({1, Operation::read, 0, 4096, false}, Time{0});
  const auto first = model.take_completions();
  REQUIRE(first.size() == 1);
  model.submit({2, Operation::read, 8192, 4096, false}, first[0].due / 2);
  CHECK(model.take_completions().empty());
  // nobody looks for a second; the second read still began when the arm was free
  model.advance(milliseconds(1000));
  const auto second = model.take_completions();
  REQUIRE(second.size() == 1);
  CHECK(second[0].due < milliseconds(30));
}
