#include "simdrive/model/hdd.hpp"

#include <cmath>

#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr std::uint64_t k_mib = 1U << 20U;
constexpr std::uint64_t k_gib = 1U << 30U;

struct Drive {
  explicit Drive(const DriveParameters& parameters) : model(parameters, RegionMap()), host(model) {}
  Hdd model;
  VirtualHost host;
};

/// The mean of many random reads of `block` bytes in a range, one after the other.
double mean_random_read(Drive& drive, std::uint64_t begin, std::uint64_t size, std::uint64_t block, int count) {
  RandomOffsets offsets(begin, size, block);
  Time sum{0};
  for (int i = 0; i < count; ++i) sum += drive.host.read(offsets(), block);
  return ms(sum) / count;
}

/// The mean seek between two random bytes of the spiral: the curve weighted with the density of bytes by radius.
double mean_seek_ms(const Platter& platter, std::uint64_t size) {
  constexpr int k_steps = 2000;
  double sum = 0;
  for (int i = 0; i < k_steps; ++i) {
    for (int j = 0; j < k_steps; ++j) {
      const auto at = [&](int k) {
        return static_cast<std::uint64_t>((k + 0.5) / k_steps * static_cast<double>(size));
      };
      sum += ms(platter.seek(at(i), at(j)));
    }
  }
  return sum / k_steps / k_steps;
}

}  // namespace

TEST_CASE("random reads wait for half a turn on average") {
  Drive drive(bare_hdd());
  const int count = 20000;
  mean_random_read(drive, 0, bare_hdd().size, 4096, count);
  CHECK(ms(drive.model.counters().rotation) / count == Approx(60e3 / 5400 / 2).epsilon(0.01));
}

TEST_CASE("random reads seek as the curve says, on average") {
  DriveParameters parameters = bare_hdd();
  SECTION("one zone: the integral of the curve over 2 (1 - d)") {
    parameters.hdd.inner_rate = parameters.hdd.outer_rate;
    Drive drive(parameters);
    mean_random_read(drive, 0, parameters.size, 4096, 20000);
    // sqrt part: 2 + 7.5 sqrt(3 d) on [0, 1/3]; linear part: 9.5 + 17.25 (d - 1/3) on [1/3, 1]
    const double root = 2 * (2.0 / 3 * std::pow(1.0 / 3, 1.5) - 2.0 / 5 * std::pow(1.0 / 3, 2.5)) * std::sqrt(3.0);
    const double near = 1 - std::pow(2.0 / 3, 2);
    const double far = 1 - near;
    const double beyond = std::pow(2.0 / 3, 3) / 3;  // integral of (d - 1/3) 2 (1 - d) over [1/3, 1]
    const double wanted = 2 * near + 7.5 * root + 9.5 * far + 17.25 * beyond;
    CHECK(ms(drive.model.counters().seek) / 20000 == Approx(wanted).epsilon(0.01));
  }
  SECTION("zoned: the double sum over bytes") {
    Drive drive(parameters);
    mean_random_read(drive, 0, parameters.size, 4096, 20000);
    CHECK(ms(drive.model.counters().seek) / 20000 ==
          Approx(mean_seek_ms(drive.model.platter(), parameters.size)).epsilon(0.01));
  }
}

TEST_CASE("streams run at the rate of their zone") {
  for (const double fraction : {0.0, 0.5, 0.99}) {
    const DriveParameters parameters = full_hdd();
    Drive drive(parameters);
    const auto start = static_cast<std::uint64_t>(fraction * static_cast<double>(parameters.size)) / k_mib * k_mib;
    drive.host.read(start, k_mib);
    const Time begin = drive.host.now();
    for (std::uint64_t i = 1; i <= 200; ++i) drive.host.read(start + i * k_mib, k_mib);
    const double rate = 200.0 * k_mib / in_seconds(drive.host.now() - begin);
    const double wanted = std::sqrt(115e6 * 115e6 - fraction * (115e6 * 115e6 - 55e6 * 55e6));
    CHECK(rate == Approx(wanted).epsilon(0.01));
  }
}

TEST_CASE("without a track buffer every gap costs nearly a turn") {
  Drive drive(bare_hdd());
  drive.host.read(0, 65536);
  drive.host.wait(milliseconds(0.5));
  const double took = ms(drive.host.read(65536, 65536));
  CHECK(took > 60e3 / 5400 * 0.9);
  Drive buffered(full_hdd());
  buffered.host.read(0, 65536);
  buffered.host.wait(milliseconds(0.5));
  CHECK(ms(buffered.host.read(65536, 65536)) < 1.5);
}

TEST_CASE("a slow reader is served from the buffer") {
  Drive drive(full_hdd());
  drive.host.read(0, 4096);
  for (std::uint64_t i = 1; i < 2000; ++i) {
    drive.host.wait(milliseconds(1));
    CHECK(ms(drive.host.read(i * 4096, 4096)) < 0.3);
  }
  CHECK(drive.model.counters().read_hits == 1999);
}

TEST_CASE("cached writes are fast until the cache is full, then as fast as the arm") {
  DriveParameters parameters = full_hdd();
  parameters.hdd.write_cache = 4 * k_mib;
  Drive drive(parameters);
  CHECK(ms(drive.host.write(0, 4096)) < 0.3);
  const Time begin = drive.host.now();
  for (std::uint64_t i = 1; i <= 300; ++i) drive.host.write(i * k_mib, k_mib);
  const double rate = 296.0 * k_mib / in_seconds(drive.host.now() - begin);
  CHECK(rate < 115e6 * 1.02);
  CHECK(rate > 115e6 * 0.7);
}

TEST_CASE("sorted destaging is faster than the order of writing") {
  Drive drive(full_hdd());
  RandomOffsets offsets(0, 4 * k_gib, 4096);
  for (int i = 0; i < 1000; ++i) drive.host.write(offsets(), 4096);
  const double sorted = ms(drive.host.flush());
  Drive direct(bare_hdd());
  RandomOffsets again(0, 4 * k_gib, 4096);
  const Time begin = direct.host.now();
  for (int i = 0; i < 1000; ++i) direct.host.write(again(), 4096);
  CHECK(sorted < 0.6 * ms(direct.host.now() - begin));
}

TEST_CASE("flush waits until the platter has everything") {
  Drive drive(full_hdd());
  CHECK(ms(drive.host.flush()) == Approx(0.2));
  drive.host.write(500 * k_gib, 4096);
  const double took = ms(drive.host.flush());
  CHECK(took > 2);
  CHECK(took < 50);
  CHECK(drive.model.counters().destaged_bytes == 4096);
  CHECK(ms(drive.host.flush()) == Approx(0.2));
}

TEST_CASE("a flush does not wait for what is written after it") {
  Drive drive(full_hdd());
  drive.host.write(100 * k_gib, 4096);
  const auto flush = drive.host.send(Operation::flush, 0, 0);
  for (std::uint64_t i = 0; i < 200; ++i) drive.host.send(Operation::write, (200 + 5 * i) * k_gib, 4096);
  CHECK(ms(drive.host.due(flush) - drive.host.now()) < 100);
}

TEST_CASE("FUA writes go to the platter at once") {
  Drive drive(full_hdd());
  drive.host.write(k_gib, 4096);
  const auto fua = drive.host.run(Operation::write, 700 * k_gib, 4096, true);
  CHECK(ms(fua) > 5);
  CHECK(drive.model.counters().arm_writes >= 1);
  SECTION("and what they replace is not written again") {
    Drive other(full_hdd());
    other.host.read(0, 4096);
    other.host.send(Operation::read, k_gib, 4096);  // keeps the arm busy
    other.host.send(Operation::write, 700 * k_gib, 4096);
    other.host.run(Operation::write, 700 * k_gib, 4096, true);
    other.host.flush();
    CHECK(other.model.counters().destaged_bytes == 0);
  }
}

TEST_CASE("no write cache: every write goes to the platter") {
  Drive drive(bare_hdd());
  drive.host.write(k_gib, 4096);
  CHECK(drive.model.counters().arm_writes == 1);
  CHECK(drive.model.counters().write_hits == 0);
  CHECK(ms(drive.host.flush()) == 0);
}

TEST_CASE("what was just written is read from the cache") {
  Drive drive(full_hdd());
  drive.host.send(Operation::read, 900 * k_gib, 4096);
  drive.host.write(k_gib, 8192);
  CHECK(ms(drive.host.read(k_gib, 4096)) < 0.5);
  CHECK(drive.model.counters().read_hits == 1);
}

TEST_CASE("a write makes the track buffer forget") {
  Drive drive(full_hdd());
  drive.host.read(k_gib, 65536);
  drive.host.wait(milliseconds(50));
  CHECK(ms(drive.host.read(k_gib + 65536, 4096)) < 0.3);
  drive.host.write(k_gib + 65536, 4096);
  drive.host.flush();
  CHECK(ms(drive.host.read(k_gib + 65536 + 4096, 4096)) > 0.3);
}

TEST_CASE("zero is charged as a write, trim as a command") {
  Drive drive(bare_hdd());
  CHECK(ms(drive.host.run(Operation::zero, k_gib, 64 * k_mib)) > 500);
  Drive other(full_hdd());
  CHECK(ms(other.host.run(Operation::trim, k_gib, 64 * k_mib)) == Approx(0.2));
}

TEST_CASE("time that passes in one step or in many is the same") {
  const auto finish = [](bool often) {
    Drive drive(full_hdd());
    RandomOffsets offsets(0, 1000 * k_gib, 4096);
    std::vector<std::uint64_t> sent;
    for (int i = 0; i < 40; ++i)
      sent.push_back(drive.host.send(i % 3 ? Operation::read : Operation::write, offsets(), 4096));
    if (often) {
      for (int i = 0; i < 2000; ++i) drive.model.advance(milliseconds(i));
    } else {
      drive.model.advance(milliseconds(2000));
    }
    return drive.model.counters().busy;
  };
  CHECK(finish(true) == finish(false));
}
