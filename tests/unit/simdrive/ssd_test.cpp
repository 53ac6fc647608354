#include "simdrive/model/ssd.hpp"

#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr std::uint64_t k_mib = 1U << 20U;

DriveParameters ssd(std::uint64_t channels = 8, std::uint64_t depth = 64) {
  DriveParameters drive;
  drive.kind = DriveKind::ssd;
  drive.size = 256ULL << 30U;
  drive.queue_depth = depth;
  drive.ssd = {milliseconds(0.2), milliseconds(0.05), milliseconds(1), milliseconds(0.5),
               500'000'000,       400'000'000,        channels};
  return drive;
}

Time last_due(VirtualHost& host, int count, std::uint64_t length) {
  Time last{0};
  std::vector<std::uint64_t> sent;
  for (int i = 0; i < count; ++i)
    sent.push_back(host.send(Operation::read, static_cast<std::uint64_t>(i) * length, length));
  for (const auto id : sent) last = std::max(last, host.due(id));
  return last;
}

}  // namespace

TEST_CASE("one command takes its latency and its transfer") {
  Ssd model(ssd(), RegionMap());
  VirtualHost host(model);
  CHECK(ms(host.read(0, 4096)) == Approx(0.2 + 4096 / 500e6 * 1e3).epsilon(1e-4));
  CHECK(ms(host.write(0, 4096)) == Approx(0.05 + 4096 / 400e6 * 1e3).epsilon(1e-4));
  CHECK(ms(host.read(0, 64 * k_mib)) == Approx(0.2 + 64.0 * k_mib / 500e6 * 1e3).epsilon(1e-4));
}

TEST_CASE("place means nothing") {
  Ssd model(ssd(), RegionMap());
  VirtualHost host(model);
  CHECK(host.read(0, 4096) == host.read(200ULL << 30U, 4096));
}

TEST_CASE("channels work at the same time, and no more than there are") {
  Ssd eight(ssd(8), RegionMap());
  VirtualHost host(eight);
  CHECK(ms(last_due(host, 8, 512)) == Approx(0.2 + 8 * 512 / 500e6 * 1e3).epsilon(0.001));
  Ssd one(ssd(1), RegionMap());
  VirtualHost slow(one);
  CHECK(ms(last_due(slow, 8, 512)) == Approx(8 * 0.2).epsilon(0.01));
}

TEST_CASE("the bandwidth is shared") {
  Ssd model(ssd(8), RegionMap());
  VirtualHost host(model);
  CHECK(64.0 * k_mib / in_seconds(last_due(host, 64, k_mib)) == Approx(500e6).epsilon(0.01));
}

TEST_CASE("depth bounds what is inside") {
  Ssd model(ssd(8, 2), RegionMap());
  VirtualHost host(model);
  CHECK(ms(last_due(host, 8, 512)) == Approx(4 * 0.2).epsilon(0.02));
}

TEST_CASE("flush waits for writes; FUA and trim are charged") {
  Ssd model(ssd(), RegionMap());
  VirtualHost host(model);
  const auto write = host.send(Operation::write, 0, 64 * k_mib);
  const auto flush = host.send(Operation::flush, 0, 0);
  CHECK(host.due(flush) - host.due(write) == milliseconds(1));
  host.wait(milliseconds(1000));
  CHECK(ms(host.run(Operation::write, 0, 4096, true)) == Approx(1.05 + 4096 / 400e6 * 1e3).epsilon(1e-4));
  CHECK(ms(host.run(Operation::trim, 0, 4096)) == Approx(0.5));
  CHECK(ms(host.run(Operation::zero, 0, k_mib)) > 2.5);
}

TEST_CASE("busy time counts overlapping commands once") {
  Ssd model(ssd(), RegionMap());
  VirtualHost host(model);
  const Time last = last_due(host, 8, 512);
  CHECK(model.counters().busy == last);
  host.wait(milliseconds(10));
  host.read(0, 512);
  CHECK(ms(model.counters().busy) == Approx(ms(last) + 0.201).epsilon(0.001));
}

TEST_CASE("null takes no time") {
  DriveParameters parameters;
  parameters.size = k_mib;
  const auto model = make_drive_model(parameters, RegionMap());
  VirtualHost host(*model);
  CHECK(host.read(0, k_mib) == Time{0});
  CHECK(host.flush() == Time{0});
  CHECK(model->counters()[Operation::read].requests == 1);
}
