// The file means another drive than the one that is there.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace fs = std::filesystem;

TEST_CASE("drives of any size and sector are refused until they are claimed") {
  const auto size = GENERATE(mib(64), Bytes{2'000'398'934'016}, gib(10 * 1024));
  const auto sector = GENERATE(512, 4096);
  LoopDrive drive(size, {sector, true, false});
  check_refused(drive, drive.wanted(), {"not-claimed"}, "swaprig drive claim " + drive.path());
}

TEST_CASE("another serial") {
  LoopDrive drive;
  drive.claim();
  auto wanted = drive.wanted();
  wanted.serial = "loop:0000000000000000";
  check_refused(drive, wanted, {"serial-differs"}, "has the serial " + drive.facts().serial + " instead of loop:0");
}

TEST_CASE("a size that differs by one sector") {
  LoopDrive drive(gib(2 * 1024));
  drive.claim();
  auto wanted = drive.wanted();
  wanted.size = Bytes{wanted.size.count - 512};
  check_refused(drive, wanted, {"size-differs"}, "has 2 TiB instead of 2199023255040 B");
}

TEST_CASE("a path where nothing is, or no block device") {
  LoopDrive drive;
  drive.claim();
  auto wanted = drive.wanted();
  const auto refused = [&](const fs::path& path, const std::string& name, const std::string& words) {
    CAPTURE(path.string());
    wanted.path = path.string();
    check_refused(drive, wanted, {name}, words);
  };
  fs::create_symlink("/dev/no-such-disk", drive.folder() / "dangling");
  REQUIRE(::mkfifo((drive.folder() / "fifo").c_str(), 0600) == 0);
  refused("/dev/disk/by-id/ata-none", "removed", "nothing is there");
  refused(drive.folder() / "dangling", "removed", "nothing is there");
  refused(drive.file(), "not-a-block-device", "no block device");
  refused(drive.folder(), "not-a-block-device", "no block device");
  refused("/dev/null", "not-a-block-device", "no block device");
  refused(drive.folder() / "fifo", "not-a-block-device", "no block device");
}

TEST_CASE("a link that leads to another drive than when the file was written") {
  LoopDrive meant;
  LoopDrive other;
  meant.claim();
  other.claim();
  const auto wanted = meant.wanted();
  fs::remove(meant.link());
  fs::create_symlink(other.path(), meant.link());
  const auto before = other.digest();
  check_refused(meant, wanted, {"serial-differs"}, "another drive is there than the file means");
  CHECK(other.digest() == before);
}

TEST_CASE("the device that was detached") {
  LoopDrive drive;
  drive.claim();
  const auto wanted = drive.wanted();
  const auto path = drive.path();
  drive.loop().detach();
  check_refused(drive, wanted, {"removed"}, "the drive is gone, or has no medium");
}

TEST_CASE("another file behind the same loop device") {
  LoopDrive drive;
  drive.claim();
  const auto wanted = drive.wanted();
  const auto copy = drive.folder() / "copy.img";
  run("cp", {"--sparse=always", drive.file().string(), copy.string()});
  const auto path = drive.path();
  drive.loop().detach();
  run("losetup", {"--direct-io=on", path, copy.string()});
  const auto before = drive.digest();
  const auto message = message_of([&] { take(wanted, drive.locks()); });
  run("losetup", {"--detach", path});
  CHECK(refusals_in(message) == std::set<std::string>{"serial-differs", "foreign-signature", "not-claimed"});
  CHECK(drive.digest() == before);
}

TEST_CASE("a read-only drive") {
  LoopDrive drive;
  drive.claim();
  drive.attach({512, true, true});
  check_refused(drive, drive.wanted(), {"read-only"}, "is read-only");
}

TEST_CASE("a loop device that the host caches") {
  LoopDrive drive;
  drive.claim();
  drive.attach({512, false, false});
  check_refused(drive, drive.wanted(), {"loop-buffered"}, "losetup --direct-io=on " + drive.path());
  const auto taken = take(drive.wanted(), drive.locks(), {"loop-buffered"});
  CHECK(taken->state()->loop_direct == false);
}

TEST_CASE("a file that was deleted, or replaced, below its loop device") {
  LoopDrive drive;
  drive.claim();
  const auto wanted = drive.wanted();
  SECTION("deleted") {
    const auto kept = open_file(drive.file(), O_RDONLY, "cannot open");
    fs::remove(drive.file());
    const auto message = message_of([&] { take(wanted, drive.locks()); });
    CHECK(refusals_in(message) == std::set<std::string>{"backing-hidden"});
    CHECK(holds(message, "is deleted"));
  }
  SECTION("replaced") {
    fs::rename(drive.file(), drive.folder() / "moved.img");
    run("truncate", {"--size", "64M", drive.file().string()});
    fs::rename(drive.folder() / "moved.img", drive.folder() / "again.img");
    // The kernel follows the rename, so that the name is true again: nothing stands against it.
    CHECK(drive.facts().loop->file == (drive.folder() / "again.img").string());
  }
}

TEST_CASE("somebody else's file") {
  LoopDrive drive;
  drive.claim();
  REQUIRE(::chown(drive.file().c_str(), 12345, 12345) == 0);
  check_refused(drive, drive.wanted(), {"loop-of-someone-else"}, "belongs to user 12345");
}

TEST_CASE("one file behind two loop devices") {
  LoopDrive drive;
  drive.claim();
  const LoopDevice second(drive.file());
  check_refused(drive, drive.wanted(), {"loop-shared"}, "is behind " + second.name() + " as well");
}

TEST_CASE("a drive that is too small, or a scheduler that it has not, is found before the first byte") {
  LoopDrive drive(mib(16));
  drive.claim();
  const auto before = drive.digest();
  CHECK_THROWS_AS(take(drive.wanted(), drive.locks()), UsageError);
  CHECK(drive.digest() == before);
  LoopDrive large;
  large.claim();
  auto wanted = large.wanted();
  wanted.scheduler = "elevator";
  const auto as_claimed = large.digest();
  CHECK_THROWS_AS(take(wanted, large.locks()), UsageError);
  CHECK(large.digest() == as_claimed);
}

TEST_CASE("overrides that do not exist, or never will") {
  LoopDrive drive;
  drive.claim();
  const auto before = drive.digest();
  for (const auto* name : {"mounted", "active-swap", "root-drive", "not-claimed", "foreign-signatur"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(take(drive.wanted(), drive.locks(), {name}), UsageError);
  }
  CHECK(drive.digest() == before);
}

TEST_CASE("the drive of this host's root") {
  const auto devices = drive::read_block_devices(commands());
  const auto root = std::find_if(devices.all.begin(), devices.all.end(),
                                 [](const auto& device) { return device.below_root && device.partition == 0; });
  if (root == devices.all.end()) {
    WARN("the root file system lies on no block device that can be seen here");
    return;
  }
  LoopDrive scratch;
  auto wanted = scratch.wanted();
  fs::remove(scratch.link());
  fs::create_symlink(root->path, scratch.link());
  wanted.serial = root->serial;
  wanted.size = root->size;
  const auto message = message_of([&] { take(wanted, scratch.locks()); });
  CHECK(refusals_in(message).contains("root-drive"));
  CHECK(holds(message, "the root file system of this host lies on " + root->name));
}

}  // namespace swaprig::testing
