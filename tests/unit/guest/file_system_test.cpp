#include "guest/file_system.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using spec::PartitionType;

namespace {

using Commands = std::vector<std::vector<std::string>>;

Commands commands(PartitionType type) { return guest::make_and_mount(type, "/dev/vda3", "/run/swaprig/fs/hdd-3"); }

}  // namespace

TEST_CASE("each file system is made and mounted quietly") {
  const std::vector<std::string> folder{"mkdir", "-p", "/run/swaprig/fs/hdd-3"};
  CHECK(commands(PartitionType::ext4) ==
        Commands{folder,
                 {"mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-E",
                  "lazy_itable_init=0,lazy_journal_init=0,nodiscard", "/dev/vda3"},
                 {"mount", "-t", "ext4", "-o", "noatime,no_prefetch_block_bitmaps,noinit_itable", "/dev/vda3",
                  "/run/swaprig/fs/hdd-3"}});
  CHECK(commands(PartitionType::xfs) ==
        Commands{folder,
                 {"mkfs.xfs", "-q", "-f", "-K", "/dev/vda3"},
                 {"mount", "-t", "xfs", "-o", "noatime", "/dev/vda3", "/run/swaprig/fs/hdd-3"}});
  CHECK(commands(PartitionType::btrfs) ==
        Commands{folder,
                 {"mkfs.btrfs", "-q", "-f", "-K", "/dev/vda3"},
                 {"mount", "-t", "btrfs", "-o", "noatime,nodiscard", "/dev/vda3", "/run/swaprig/fs/hdd-3"}});
}

TEST_CASE("a missing program is sought in its package") {
  CHECK(guest::package_of(PartitionType::xfs) == "xfsprogs");
  CHECK(guest::package_of(PartitionType::btrfs) == "btrfs-progs");
  CHECK(guest::package_of(PartitionType::ext4) == "e2fsprogs");
}
