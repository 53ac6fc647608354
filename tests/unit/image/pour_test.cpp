#include "image/pour.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

Range range(Bytes offset, Bytes size) { return {offset, size}; }

/// `size` bytes with `data` at `offset`, holes elsewhere.
void make_sparse(const std::filesystem::path& path, Bytes size, Bytes offset, const std::string& data) {
  const Fd fd = open_file(path, O_WRONLY | O_CREAT, "cannot make");
  REQUIRE(::ftruncate(fd.get(), static_cast<off_t>(size.count)) == 0);
  REQUIRE(::pwrite(fd.get(), data.data(), data.size(), static_cast<off_t>(offset.count)) ==
          static_cast<ssize_t>(data.size()));
}

}  // namespace

TEST_CASE("used ranges replace whatever was there, holes by zeros, and nothing else is touched") {
  const TemporaryFolder folder;
  const auto source = folder.path() / "source";
  const auto target = folder.path() / "target";
  make_sparse(source, mib(12), mib(5), std::string(kib(64).count, 'D'));
  std::ofstream(target, std::ios::binary) << std::string(mib(16).count, 'o');

  const auto written = pour(source, {range(Bytes{0}, kib(4)), range(mib(1), mib(9))}, {target, mib(2), mib(12)});
  CHECK(written == kib(4) + mib(9));

  const auto text = read_file(target);
  const auto is = [&](Bytes offset, Bytes size, char c) {
    return text.substr(offset.count, size.count) == std::string(size.count, c);
  };
  CHECK(is(Bytes{0}, mib(2), 'o'));
  CHECK(is(mib(2), kib(4), '\0'));
  CHECK(is(mib(2) + kib(4), mib(1) - kib(4), 'o'));
  CHECK(is(mib(3), mib(4), '\0'));
  CHECK(is(mib(7), kib(64), 'D'));
  CHECK(is(mib(7) + kib(64), mib(5) - kib(64), '\0'));
  CHECK(is(mib(12), mib(4), 'o'));
}

TEST_CASE("a target that is not there is named") {
  const TemporaryFolder folder;
  make_sparse(folder.path() / "source", mib(1), Bytes{0}, "x");
  CHECK_THROWS_AS(pour(folder.path() / "source", {}, {folder.path() / "none", Bytes{0}, mib(1)}), FileError);
}

TEST_CASE("a source that ends early is an error, not zeros") {
  const TemporaryFolder folder;
  make_sparse(folder.path() / "source", mib(1), Bytes{0}, std::string(mib(1).count, 'x'));
  std::ofstream(folder.path() / "target", std::ios::binary) << std::string(mib(4).count, 'o');
  const Target target{folder.path() / "target", Bytes{0}, mib(4)};
  const auto written = pour(folder.path() / "source", {range(Bytes{0}, mib(1))}, target);
  CHECK(written == mib(1));
  CHECK_THROWS_AS(pour(folder.path() / "source", {range(Bytes{0}, mib(2))}, target), Error);
}
