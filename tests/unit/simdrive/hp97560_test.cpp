// The drive of the literature (Ruemmler & Wilkes 1994, Kotz et al. 1994) against closed forms from its published
// geometry and seek curve. Random reads: controller overhead, mean seek over two random places, half a turn,
// transfer with the skews that a read crosses, and the last sector on the bus.
#include <cmath>

#include "simdrive/model/hdd.hpp"
#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr double k_turn = 60e3 / 4002;  // ms
constexpr double k_sector = k_turn / 72;
constexpr int k_cylinders = 1962;
constexpr int k_heads = 19;
constexpr double k_bus_sector = 512 / 10e6 * 1e3;

double seek_ms(int way) { return way < 383 ? 3.24 + 0.4 * std::sqrt(way) : 8.0 + 0.008 * way; }

/// Two independent uniform places: P(d) = 2 (C - d) / C^2, P(0) = 1 / C, of which one in 19 is the same track.
double mean_seek() {
  const double c = k_cylinders;
  double sum = 1 / c * (1 - 1.0 / k_heads) * 1.6;
  for (int d = 1; d < k_cylinders; ++d) sum += 2 * (c - d) / (c * c) * seek_ms(d);
  return sum;
}

/// 16 sectors at a random multiple of 16: tracks of 72 sectors are crossed in the middle of a block at every second
/// boundary (72 = 4.5 x 16), and of 19 crossings one goes to the next cylinder.
double mean_transfer() {
  const double crossings = 0.5 * 16 / 72;  // per block: one boundary in two, 4.5 blocks a track
  const double gap = (18 * 8 + 18) / 19.0;
  return (16 + crossings * gap) * k_sector;
}

}  // namespace

TEST_CASE("hp97560: random 8K reads take what the published figures say") {
  DriveParameters parameters = hp97560();
  parameters.hdd.read_ahead = 0;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  RandomOffsets offsets(0, parameters.size, 8192);
  const int count = 40000;
  Time sum{0};
  for (int i = 0; i < count; ++i) sum += host.read(offsets(), 8192);
  const double wanted = 1.1 + mean_seek() + k_turn / 2 + mean_transfer() + k_bus_sector;
  CHECK(ms(sum) / count == Approx(wanted).epsilon(0.02));
  CHECK(ms(model.counters().seek) / count == Approx(mean_seek()).epsilon(0.01));
  CHECK(ms(model.counters().rotation) / count == Approx(k_turn / 2).epsilon(0.01));
  CHECK(ms(model.counters().transfer) / count == Approx(mean_transfer()).epsilon(0.01));
}

TEST_CASE("hp97560: sequential 8K reads run at the platter's rate, skews included") {
  Hdd model(hp97560(), RegionMap());
  VirtualHost host(model);
  host.read(0, 8192);
  const Time begin = host.now();
  const int count = 20000;
  for (int i = 1; i <= count; ++i) host.read(static_cast<std::uint64_t>(i) * 8192, 8192);
  const double sectors = 16.0 * (19 * 72 + 18 * 8 + 18) / (19 * 72);
  CHECK(ms(host.now() - begin) / count == Approx(sectors * k_sector).epsilon(0.02));
}

TEST_CASE("hp97560: sequential reads without read-ahead lose a turn each") {
  DriveParameters parameters = hp97560();
  parameters.hdd.read_ahead = 0;
  Hdd model(parameters, RegionMap());
  VirtualHost host(model);
  const int count = 72;
  host.read(0, 4096);
  const Time begin = host.now();
  for (int i = 1; i <= count; ++i) host.read(static_cast<std::uint64_t>(i) * 4096, 4096);
  const double sectors = 8.0 * (19 * 72 + 18 * 8 + 18) / (19 * 72);
  CHECK(ms(host.now() - begin) / count == Approx(k_turn + sectors * k_sector).epsilon(0.05));
}
