#include "simdrive/model/geometry.hpp"

#include <cmath>

#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr std::uint64_t k_mib = 1U << 20U;

double rate_at(const Platter& platter, std::uint64_t offset) {
  return static_cast<double>(64 * k_mib) / in_seconds(platter.transfer(offset, 64 * k_mib));
}

}  // namespace

TEST_CASE("the rate of a spiral follows sqrt(Ro^2 - f (Ro^2 - Ri^2))") {
  const DriveParameters drive = bare_hdd();
  const auto platter = make_platter(drive);
  for (const double fraction : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999}) {
    const auto offset = static_cast<std::uint64_t>(fraction * static_cast<double>(drive.size));
    const double wanted = std::sqrt(115e6 * 115e6 - fraction * (115e6 * 115e6 - 55e6 * 55e6));
    CHECK(rate_at(*platter, offset) == Approx(wanted).epsilon(0.002));
  }
}

TEST_CASE("a spiral without zones has one rate") {
  DriveParameters drive = bare_hdd();
  drive.hdd.inner_rate = drive.hdd.outer_rate;
  const auto platter = make_platter(drive);
  CHECK(rate_at(*platter, 0) == Approx(115e6).epsilon(0.001));
  CHECK(rate_at(*platter, drive.size - 64 * k_mib) == Approx(115e6).epsilon(0.001));
}

TEST_CASE("the seek curve goes through its three figures") {
  DriveParameters drive = bare_hdd();
  drive.hdd.inner_rate = drive.hdd.outer_rate;
  const auto platter = make_platter(drive);
  CHECK(platter->seek(0, 0) == Time{0});
  CHECK(ms(platter->seek(0, 100 * k_mib)) ==
        Approx(2 + 7.5 * std::sqrt(3 * 100.0 * k_mib / static_cast<double>(drive.size))).epsilon(1e-4));
  CHECK(ms(platter->seek(0, drive.size / 3)) == Approx(9.5).epsilon(1e-3));
  CHECK(ms(platter->seek(0, drive.size)) == Approx(21).epsilon(1e-4));
  CHECK(platter->seek(0, drive.size) == platter->seek(drive.size, 0));
}

TEST_CASE("the way back from angle to byte is the same") {
  for (const DriveParameters& drive : {bare_hdd(), hp97560()}) {
    const auto platter = make_platter(drive);
    for (const double fraction : {0.0, 0.0001, 0.3, 0.77, 0.99}) {
      const auto offset = static_cast<std::uint64_t>(fraction * static_cast<double>(drive.size)) / 512 * 512;
      const auto back = platter->offset_at(platter->turns_at(offset));
      CHECK((back > offset ? back - offset : offset - back) <= 16);
    }
  }
}

TEST_CASE("a byte that comes by waits for less than a turn") {
  const auto platter = make_platter(bare_hdd());
  const Time turn = from_seconds(platter->seconds_per_turn());
  for (int i = 0; i < 1000; ++i) {
    const Time wait = platter->rotation_wait(from_seconds(0.0017 * i), 12345678ULL * 4096);
    CHECK(wait >= Time{-100});
    CHECK(wait < turn);
  }
  CHECK(platter->rotation_wait(Time{0}, 0) == Time{0});
}

TEST_CASE("hp97560: tracks, skews and head changes") {
  const auto platter = make_platter(hp97560());
  const double sector = 60.0 / 4002 / 72 * 1e3;  // ms
  const std::uint64_t track = 72 * 512;
  CHECK(ms(platter->transfer(0, 512)) == Approx(sector).epsilon(1e-4));
  CHECK(ms(platter->transfer(0, track)) == Approx(72 * sector).epsilon(1e-4));
  CHECK(ms(platter->transfer(0, 2 * track)) == Approx((144 + 8) * sector).epsilon(1e-4));
  CHECK(ms(platter->transfer(18 * track, 2 * track)) == Approx((144 + 18) * sector).epsilon(1e-4));
  CHECK(ms(platter->seek(0, track)) == Approx(1.6));
  CHECK(ms(platter->seek(0, 19 * track)) == Approx(3.64));
  CHECK(ms(platter->seek(0, 382 * 19 * track)) == Approx(3.24 + 0.4 * std::sqrt(382.0)));
  CHECK(ms(platter->seek(0, 383 * 19 * track)) == Approx(8 + 0.008 * 383));
  CHECK(ms(platter->seek(0, 1961 * 19 * track)) == Approx(8 + 0.008 * 1961));
}

TEST_CASE("a skew that is too small for the switch costs a whole turn") {
  DriveParameters drive = hp97560();
  drive.hdd.track_skew = 7;  // 1.46 ms, the head change takes 1.6
  const auto platter = make_platter(drive);
  const double sector = 60.0 / 4002 / 72 * 1e3;
  CHECK(ms(platter->transfer(0, 2 * 72 * 512)) == Approx((144 + 7 + 72) * sector).epsilon(1e-4));
}
