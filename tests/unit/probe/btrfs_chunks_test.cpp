#include "probe/btrfs_chunks.hpp"

#include "probe/system.hpp"
#include "support/catch.hpp"

using namespace swaprig::probe;

using Ranges = std::vector<ByteRange>;

TEST_CASE("addresses of a btrfs become bytes of the drive, split where a chunk ends") {
  const std::vector<BtrfsChunk> chunks{{1000, 100, 50}, {1100, 200, 700}, {5000, 10, 0}};
  CHECK(on_drive({1010, 20}, chunks) == Ranges{{60, 20}});
  CHECK(on_drive({1000, 300}, chunks) == Ranges{{50, 100}, {700, 200}});
  CHECK(on_drive({1099, 2}, chunks) == Ranges{{149, 1}, {700, 1}});
  CHECK(on_drive({5009, 1}, chunks) == Ranges{{9, 1}});
  CHECK(on_drive({42, 0}, chunks).empty());
}

TEST_CASE("an address that no chunk has is a failure, not a guess") {
  CHECK_THROWS_AS(on_drive({999, 1}, {{1000, 100, 50}}), Failure);
  CHECK_THROWS_AS(on_drive({1090, 20}, {{1000, 100, 50}}), Failure);
  CHECK_THROWS_AS(on_drive({0, 1}, {}), Failure);
}

TEST_CASE("the device that a path lies on is that of the deepest mount point") {
  const std::string mounts =
      "22 1 254:2 / / rw,relatime - ext4 /dev/vda2 rw\n"
      "30 22 0:25 / /run rw - tmpfs tmpfs rw\n"
      "36 30 0:31 / /run/swaprig/fs/hdd-3 rw,noatime shared:1 - btrfs /dev/vda3 rw,space_cache=v2\n"
      "37 30 0:32 / /run/swaprig/fs/hdd-30 rw,noatime - btrfs /dev/vdb1 rw\n"
      "broken line\n";
  CHECK(device_of_path(mounts, "/run/swaprig/fs/hdd-3/deep/swapfile") == "/dev/vda3");
  CHECK(device_of_path(mounts, "/run/swaprig/fs/hdd-30/swapfile") == "/dev/vdb1");
  CHECK(device_of_path(mounts, "/run/swaprig/fs/hdd-3") == "/dev/vda3");
  CHECK(device_of_path(mounts, "/swapfile") == "/dev/vda2");
  CHECK(device_of_path("", "/swapfile").empty());
}
