#include "image/block_map.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "image/file_system.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

using Ranges = std::vector<Range>;

Range range(std::uint64_t offset, std::uint64_t size) { return {Bytes{offset}, Bytes{size}}; }

Bytes total(const Ranges& ranges) {
  Bytes sum;
  for (const auto& r : ranges) sum = sum + r.size;
  return sum;
}

}  // namespace

TEST_CASE("ranges are taken out of ranges") {
  CHECK(without({range(0, 10), range(20, 10)}, {range(2, 3), range(8, 14), range(29, 5)}) ==
        Ranges{range(0, 2), range(5, 3), range(22, 7)});
  CHECK(without({range(0, 10)}, {}) == Ranges{range(0, 10)});
  CHECK(without({range(0, 10)}, {range(0, 10)}).empty());
  CHECK(without({range(5, 5), range(12, 2)}, {range(0, 100)}).empty());
  CHECK(without({}, {range(0, 1)}).empty());
}

TEST_CASE("the smallest gaps are closed first") {
  const Ranges ranges{range(0, 10), range(11, 9), range(50, 10), range(62, 8)};
  CHECK(merged(ranges, 4) == ranges);
  CHECK(merged(ranges, 3) == Ranges{range(0, 20), range(50, 10), range(62, 8)});
  CHECK(merged(ranges, 2) == Ranges{range(0, 20), range(50, 20)});
  CHECK(merged(ranges, 1) == Ranges{range(0, 70)});
  CHECK(merged({}, 5).empty());
}

TEST_CASE("the map of a real file system: data apart from the file system's own blocks") {
  const TemporaryFolder folder;
  const auto tree = folder.path() / "tree";
  make_folders(tree / "a");
  std::ofstream(tree / "a/file") << std::string(1000000, 'x');
  const auto file = folder.path() / "ext4";
  const auto plan = plan_file_system("x", std::string(64, '7'), mib(2), 10, mib(64));
  SystemCommandRunner commands;
  std::ofstream(file).close();
  REQUIRE(::truncate(file.c_str(), static_cast<off_t>(plan.size.count)) == 0);
  run_checked(commands, mke2fs_command(plan, tree, file));

  const auto map = read_block_map(file);
  CHECK(map.size == mib(64));
  // A million bytes in 245 blocks, and at least the folders /, /a and /lost+found.
  const auto data = total(map.data).count / k_block.count;
  CHECK(data >= 245 + 3);
  CHECK(data <= 245 + 10);
  const auto own = Bytes{plan.inodes * 256} + plan.journal;
  CHECK(total(map.used) >= total(map.data) + own);
  CHECK(total(map.used) < total(map.data) + own + mib(1));
  CHECK(map.used.front().offset == Bytes{0});
  // The journal is needed in full, of the inode tables only what the few files take.
  CHECK(total(map.needed) >= total(map.data) + plan.journal);
  CHECK(total(map.needed) < total(map.data) + plan.journal + kib(256));
  CHECK(without(map.data, map.needed).empty());
}

TEST_CASE("a file that is no file system is named in the error") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "nothing";
  std::ofstream(file) << std::string(100000, '\0');
  try {
    read_block_map(file);
    FAIL("it was read");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(file.string()) != std::string::npos);
  }
}
