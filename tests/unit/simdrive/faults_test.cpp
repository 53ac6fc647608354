#include "simdrive/model/faults.hpp"

#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

constexpr std::uint64_t k_size = 1U << 20U;

BadRange parsed(const std::string& text, Time now = Time{0}) {
  BadRange range;
  std::string error;
  INFO(text);
  CHECK(parse_bad_range(text, k_size, now, range, error));
  CHECK(error.empty());
  return range;
}

bool fails(const Faults& faults, Operation operation, std::uint64_t offset, std::uint64_t length, Time now = Time{0}) {
  return faults.fails({1, operation, offset, length, false}, now);
}

}  // namespace

TEST_CASE("bad ranges are read from text") {
  CHECK(parsed("4096:8192:read") == BadRange{4096, 8192, true, false, Time{0}});
  CHECK(parsed("0:512:write") == BadRange{0, 512, false, true, Time{0}});
  CHECK(parsed("0:512:both:250", milliseconds(1000)) == BadRange{0, 512, true, true, milliseconds(1250)});
}

TEST_CASE("what is no bad range is refused with a reason") {
  for (const char* text : {"", "1:2", "a:512:read", "0:512:erase", "0:0:read", "1048576:512:read", "0:1048577:read",
                           "18446744073709551615:512:read", "0:512:read:-1", "0:512:read:1:2"}) {
    BadRange range;
    std::string error;
    INFO(text);
    CHECK_FALSE(parse_bad_range(text, k_size, Time{0}, range, error));
    CHECK_FALSE(error.empty());
  }
}

TEST_CASE("a bad range fails what touches it, from its moment on") {
  Faults faults;
  faults.add(parsed("4096:4096:read"));
  faults.add(parsed("65536:4096:write:100"));
  CHECK(fails(faults, Operation::read, 4096, 512));
  CHECK(fails(faults, Operation::read, 0, 4097));
  CHECK_FALSE(fails(faults, Operation::read, 0, 4096));
  CHECK_FALSE(fails(faults, Operation::read, 8192, 4096));
  CHECK_FALSE(fails(faults, Operation::write, 4096, 4096));
  CHECK_FALSE(fails(faults, Operation::write, 65536, 512, milliseconds(99)));
  CHECK(fails(faults, Operation::write, 65536, 512, milliseconds(100)));
  CHECK(fails(faults, Operation::zero, 65536, 512, milliseconds(100)));
  CHECK_FALSE(fails(faults, Operation::flush, 0, 0, milliseconds(100)));
}

TEST_CASE("a drive vanishes once, at the earliest moment given") {
  Faults faults;
  CHECK_FALSE(faults.vanished(milliseconds(1e6)));
  faults.vanish(milliseconds(100));
  faults.vanish(milliseconds(200));
  CHECK_FALSE(faults.vanished(milliseconds(99)));
  CHECK(faults.vanished(milliseconds(100)));
}
