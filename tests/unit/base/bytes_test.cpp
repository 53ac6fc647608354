#include "base/bytes.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace swaprig;

namespace {

std::uint64_t size_of(const char* text) {
  const auto parsed = parse_size(text);
  INFO(text);
  CHECK(parsed.fault == SizeFault::none);
  return parsed.bytes.count;
}

SizeFault size_fault(const char* text) { return parse_size(text).fault; }

}  // namespace

TEST_CASE("sizes with binary and decimal units") {
  CHECK(size_of("0 B") == 0);
  CHECK(size_of("512B") == 512);
  CHECK(size_of("2 GiB") == gib(2).count);
  CHECK(size_of("  4   MiB ") == mib(4).count);
  CHECK(size_of("1.5 MiB") == kib(1536).count);
  CHECK(size_of("2 TB") == 2'000'000'000'000);
  CHECK(size_of("1 kB") == 1000);
  CHECK(size_of("2000398934016 B") == 2'000'398'934'016);
  CHECK(size_of("18446744073709551615 B") == std::numeric_limits<std::uint64_t>::max());
  CHECK(size_of("15.5 EiB") == 31 * (std::uint64_t{1} << 59U));
  CHECK(size_of("0.0009765625 KiB") == 1);
  CHECK(size_of("1.000 B") == 1);
}

TEST_CASE("every fault of a size") {
  CHECK(size_fault("512") == SizeFault::no_unit);
  CHECK(size_fault("1.5") == SizeFault::no_unit);
  CHECK(size_fault("2 Gib") == SizeFault::unknown_unit);
  CHECK(size_fault("2 G") == SizeFault::unknown_unit);
  CHECK(size_fault("1 GiB 2") == SizeFault::unknown_unit);
  CHECK(size_fault("1e3 B") == SizeFault::unknown_unit);
  CHECK(size_fault("") == SizeFault::not_a_number);
  CHECK(size_fault("GiB") == SizeFault::not_a_number);
  CHECK(size_fault(".5 GiB") == SizeFault::not_a_number);
  CHECK(size_fault("1. GiB") == SizeFault::not_a_number);
  CHECK(size_fault("0.3 B") == SizeFault::not_a_number);
  CHECK(size_fault("0.3 KiB") == SizeFault::not_a_number);
  CHECK(size_fault("+1 GiB") == SizeFault::not_a_number);
  CHECK(size_fault("0x10 B") == SizeFault::unknown_unit);
  CHECK(size_fault("1,5 GiB") == SizeFault::unknown_unit);
  CHECK(size_fault("-1 GiB") == SizeFault::negative);
  CHECK(size_fault("16 EiB") == SizeFault::overflow);
  CHECK(size_fault("18446744073709551616 B") == SizeFault::overflow);
  CHECK(size_fault("99999999999999999999999999 B") == SizeFault::overflow);
}

TEST_CASE("exact sizes read back to the same number") {
  CHECK(exact(Bytes{0}) == "0 B");
  CHECK(exact(gib(4)) == "4 GiB");
  CHECK(exact(mib(1536)) == "1536 MiB");
  CHECK(exact(Bytes{2'000'398'934'016}) == "1953514584 KiB");
  CHECK(exact(Bytes{513}) == "513 B");
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{1} << 63U, std::numeric_limits<std::uint64_t>::max()}) {
    CHECK(parse_size(exact(Bytes{n})).bytes.count == n);
  }
}

TEST_CASE("rounded sizes have three digits") {
  CHECK(rounded(Bytes{0}) == "0 B");
  CHECK(rounded(Bytes{1023}) == "1023 B");
  CHECK(rounded(Bytes{2'000'398'934'016}) == "1.82 TiB");
  CHECK(rounded(mib(512)) == "512 MiB");
  CHECK(rounded(kib(15 * 1024 + 512)) == "15.5 MiB");
}
