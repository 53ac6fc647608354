#include "simdrive/model/track_buffer.hpp"
#include "simdrive/model/write_cache.hpp"
#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {
constexpr std::uint64_t k_kib = 1024;
constexpr std::uint64_t k_mib = 1U << 20U;
}  // namespace

TEST_CASE("track buffer: reads ahead with the platter, up to its segment") {
  const DriveParameters drive = bare_hdd();
  const auto platter = make_platter(drive);
  TrackBuffer buffer(*platter, k_mib, 2, drive.size);
  CHECK(buffer.cached(0, 4096, Time{0}) == 0);
  buffer.filled(0, 4096, Time{0});
  CHECK(buffer.cached(0, 4096, Time{0}) == 4096);
  CHECK(buffer.cached(4096, 4096, Time{0}) == 0);
  // 115 MB/s: 1 ms brings 115 kB
  const std::uint64_t there = buffer.cached(4096, k_mib, milliseconds(1));
  CHECK(static_cast<double>(there) == Approx(115e3).epsilon(0.01));
  CHECK(buffer.head(milliseconds(1)) == 4096 + there);
  CHECK(buffer.cached(4096, 8 * k_mib, milliseconds(100)) == k_mib);
  SECTION("stops where the arm left") {
    buffer.stop(milliseconds(1));
    CHECK(buffer.cached(4096, k_mib, milliseconds(100)) == there);
    CHECK_FALSE(buffer.head(milliseconds(100)).has_value());
  }
  SECTION("goes on when the host takes what is there") {
    buffer.used(4096, 700 * k_kib, milliseconds(100));
    CHECK(buffer.cached(4096 + 700 * k_kib, k_mib, milliseconds(150)) == k_mib);
  }
  SECTION("forgets what was overwritten") {
    buffer.stop(milliseconds(1));
    buffer.invalidate(2048, 10, milliseconds(2));
    CHECK(buffer.cached(0, 4096, milliseconds(2)) == 0);
  }
  SECTION("the segment that was not used for longest gives way") {
    buffer.stop(milliseconds(1));
    buffer.filled(10 * k_mib, 4096, milliseconds(20));
    buffer.stop(milliseconds(20));
    buffer.used(0, 4096, milliseconds(21));
    buffer.filled(20 * k_mib, 4096, milliseconds(30));
    CHECK(buffer.cached(0, 4096, milliseconds(30)) == 4096);
    CHECK(buffer.cached(10 * k_mib, 4096, milliseconds(30)) == 0);
  }
}

TEST_CASE("no track buffer keeps nothing") {
  const DriveParameters drive = bare_hdd();
  const auto platter = make_platter(drive);
  TrackBuffer buffer(*platter, 0, 0, drive.size);
  buffer.filled(0, 4096, Time{0});
  CHECK(buffer.cached(0, 4096, milliseconds(1)) == 0);
}

TEST_CASE("write cache: overlaps are kept once") {
  WriteCache cache(k_mib);
  cache.add(0, 8192);
  cache.add(4096, 8192);
  CHECK(cache.used() == 12288);
  CHECK(cache.covers(0, 12288));
  CHECK_FALSE(cache.covers(0, 12289));
  cache.drop(4096, 4096);
  CHECK(cache.used() == 8192);
  CHECK_FALSE(cache.covers(0, 12288));
  CHECK(cache.covers(8192, 4096));
  CHECK(cache.fits(k_mib - 8192));
  CHECK_FALSE(cache.fits(k_mib - 8191));
}

TEST_CASE("write cache: adjacent writes are one run, in ascending order from the head") {
  WriteCache cache(8 * k_mib);
  cache.add(4096, 4096);
  cache.add(0, 4096);
  cache.add(100000, 4096);
  cache.add(50000, 4096);
  const auto runs = cache.runs_from(60000, 64);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].offset == 100000);
  CHECK(runs[1].offset == 0);
  CHECK(runs[1].length == 8192);
  CHECK(runs[2].offset == 50000);
  CHECK(cache.runs_from(0, 1).size() == 1);
}

TEST_CASE("write cache: a long run is cut") {
  WriteCache cache(8 * k_mib);
  cache.add(0, 3 * k_mib);
  const auto runs = cache.runs_from(0, 64);
  REQUIRE_FALSE(runs.empty());
  CHECK(runs[0].length == WriteCache::k_longest_run);
  cache.begin_write(runs[0]);
  CHECK(cache.used() == 3 * k_mib);
  CHECK(cache.covers(0, k_mib));
  cache.written();
  CHECK(cache.used() == 2 * k_mib);
}

TEST_CASE("write cache: a flush waits for what was written before it") {
  WriteCache cache(8 * k_mib);
  cache.add(0, 4096);
  const auto before = cache.newest();
  cache.add(100000, 4096);
  CHECK(cache.holds_until(before));
  SECTION("an overwrite does not hide the old write") {
    cache.add(0, 4096);
    CHECK(cache.holds_until(before));
  }
  SECTION("under way is not yet there") {
    cache.begin_write({0, 4096});
    CHECK(cache.holds_until(before));
    cache.written();
    CHECK_FALSE(cache.holds_until(before));
    CHECK_FALSE(cache.is_clean());
  }
}
