#include "image/kernel_modules.hpp"

#include "support/catch.hpp"

using namespace swaprig::image;

namespace {

constexpr const char* k_dep =
    "kernel/fs/ext4/ext4.ko: kernel/fs/jbd2/jbd2.ko kernel/fs/mbcache.ko kernel/lib/crc16.ko\n"
    "kernel/fs/jbd2/jbd2.ko:\n"
    "kernel/fs/mbcache.ko:\n"
    "kernel/lib/crc16.ko:\n"
    "kernel/drivers/scsi/sd_mod.ko.xz: kernel/block/t10-pi.ko.xz kernel/drivers/scsi/scsi_mod.ko.xz "
    "kernel/lib/crc64.ko.xz\n"
    "kernel/block/t10-pi.ko.xz: kernel/lib/crc64.ko.xz\n"
    "kernel/lib/crc64.ko.xz:\n"
    "kernel/drivers/scsi/scsi_mod.ko.xz:\n";
constexpr const char* k_builtin = "kernel/drivers/virtio/virtio-mmio.ko\n";

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("names of modules are told from their paths") {
  CHECK(module_name("kernel/drivers/virtio/virtio-rng.ko.xz") == "virtio_rng");
  CHECK(module_name("zram") == "zram");
  CHECK(module_name("dm-crypt") == "dm_crypt");
}

TEST_CASE("what a module needs is loaded before it, each once") {
  const ModuleTable table(k_dep, k_builtin);
  CHECK(table.load_order({"ext4"}) ==
        Paths{"kernel/lib/crc16.ko", "kernel/fs/mbcache.ko", "kernel/fs/jbd2/jbd2.ko", "kernel/fs/ext4/ext4.ko"});
  CHECK(table.load_order({"t10-pi", "sd_mod", "t10_pi"}) == Paths{"kernel/lib/crc64.ko.xz", "kernel/block/t10-pi.ko.xz",
                                                                  "kernel/drivers/scsi/scsi_mod.ko.xz",
                                                                  "kernel/drivers/scsi/sd_mod.ko.xz"});
}

TEST_CASE("a module that is built in is known and needs no file; an unknown one is passed over") {
  const ModuleTable table(k_dep, k_builtin);
  CHECK(table.knows("virtio-mmio"));
  CHECK(table.knows("ext4"));
  CHECK_FALSE(table.knows("ext5"));
  CHECK(table.load_order({"virtio_mmio", "ext5"}).empty());
}

TEST_CASE("a circle in modules.dep ends") {
  const ModuleTable table("a.ko: b.ko\nb.ko: a.ko\n", "");
  CHECK(table.load_order({"a"}) == Paths{"b.ko", "a.ko"});
}
