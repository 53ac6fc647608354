// Claiming and releasing.
#include <fcntl.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drive/device_claim.hpp"
#include "drive/drive_label.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

TEST_CASE("a claimed drive is known by its label until it is released") {
  const auto size = GENERATE(mib(64), Bytes{2'000'398'934'016}, gib(10 * 1024));
  const auto sector = GENERATE(512, 4096);
  LoopDrive drive(size, {sector, true, false});
  drive.claim();
  CHECK(drive::is_claimed(drive.facts()));
  CHECK(holds(run("sfdisk", {"--dump", drive.path()}), drive::k_claim_name));

  drive.attach({sector, true, false});
  CHECK(drive::is_claimed(drive.facts()));
  drive::release_device(drive.path(), drive.locks(), commands());
  CHECK(drive.facts().signatures.empty());
}

TEST_CASE("stable links are found, those of udev's folders alone") {
  LoopDrive drive;
  std::filesystem::create_directories(drive.folder() / "disk/by-id");
  std::filesystem::create_directories(drive.folder() / "disk/by-path");
  const auto link = drive.folder() / "disk/by-id/ata-WDC_WD20EARX-00PASB0_WD-WMAZA0000000";
  std::filesystem::create_symlink(drive.path(), link);
  std::filesystem::create_symlink(drive.path(), drive.folder() / "disk/by-path/pci-0000:00:1f.2-ata-1");
  const auto number = drive::look_up(drive.path()).number;
  const auto folder = (drive.folder() / "disk").string();
  const auto devices = drive::read_block_devices(commands(), {number, false, folder});
  CHECK(devices.stable_links);
  CHECK(devices.find(number)->links == std::vector<std::string>{link.string()});
  CHECK_FALSE(drive::read_block_devices(commands(), {number, false, folder + "/none"}).stable_links);
}

TEST_CASE("claiming erases what was there") {
  LoopDrive drive;
  run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()}, "label: dos\nsize=32MiB\n");
  const auto part = drive.add_partition(1, mib(1), mib(32));
  run("mke2fs", {"-q", "-F", "-t", "ext4", part});
  drive.claim();
  const auto device = drive.facts();
  CHECK(drive::is_claimed(device));
  CHECK_FALSE(std::filesystem::exists(part));  // the kernel forgot it
  CHECK(std::all_of(device.signatures.begin(), device.signatures.end(),
                    [](const auto& one) { return one.type == "gpt" || one.type == "PMBR"; }));
  CHECK(drive::read_block_devices(commands()).partitions(device).empty());
}

TEST_CASE("the wrong serial claims nothing") {
  LoopDrive drive;
  run("mke2fs", {"-q", "-F", "-t", "ext4", drive.path()});
  const auto before = drive.digest();
  for (const std::string typed : {"", "loop:0000000000000000", "LOOP"}) {
    const auto message = message_of([&] { drive::claim_device(drive.path(), typed, drive.locks(), commands()); });
    CHECK(holds(message, "nothing was written: the serial is " + drive.facts().serial));
  }
  CHECK(drive.digest() == before);
}

TEST_CASE("a drive in use is neither claimed nor released") {
  LoopDrive drive;
  const auto refused = [&](const std::set<std::string>& names) {
    const auto before = drive.digest();
    const auto claim = message_of([&] { drive.claim(); });
    CAPTURE(claim);
    CHECK(refusals_in(claim) == names);
    CHECK(holds(claim, "cannot claim " + drive.path() + "; nothing was written"));
    CHECK(drive.digest() == before);
  };
  SECTION("read-only") {
    drive.attach({512, true, true});
    refused({"read-only"});
  }
  SECTION("open") {
    const Child child([&] { return ::open(drive.path().c_str(), O_RDONLY) >= 0; });
    refused({"used-by-process"});
  }
  SECTION("below another") {
    const LoopDevice above(drive.path());
    refused({"holder"});
  }
  SECTION("cached by the host") {
    drive.attach({512, false, false});
    refused({"loop-buffered"});
  }
  SECTION("the file of a virtual machine") {
    drive.write(0, "QFI\xfb");
    refused({"backing-image"});
  }
  SECTION("taken") {
    drive.claim();
    const auto taken = take(drive.wanted(), drive.locks());
    refused({"locked-by-other-swaprig"});
    const auto before = drive.digest();
    const auto release = message_of([&] { drive::release_device(drive.path(), drive.locks(), commands()); });
    CHECK(refusals_in(release) == std::set<std::string>{"locked-by-other-swaprig"});
    CHECK(drive.digest() == before);
  }
}

TEST_CASE("only a label of ours is released") {
  LoopDrive drive;
  run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()}, "label: gpt\nsize=32MiB\n");
  const auto before = drive.digest();
  const auto message = message_of([&] { drive::release_device(drive.path(), drive.locks(), commands()); });
  CHECK(holds(message, "it is not claimed for swaprig"));
  CHECK(drive.digest() == before);
}

TEST_CASE("a drive too small for a table is not touched") {
  LoopDrive drive(mib(2));
  const auto before = drive.digest();
  CHECK_THROWS_AS(drive.claim(), UsageError);
  CHECK(drive.digest() == before);
}

}  // namespace swaprig::testing
