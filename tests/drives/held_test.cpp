// What happens to a drive between being taken and the first write of a run.
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drive/device_content.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace fs = std::filesystem;

namespace {

void check_says(drive::TestDrive& taken, const std::set<std::string>& names, const std::string& words) {
  const auto message = message_of([&] { taken.check(); });
  CAPTURE(message);
  CHECK(refusals_in(message) == names);
  CHECK(holds(message, words));
}

}  // namespace

TEST_CASE("a held drive is what it was, until it is not") {
  LoopDrive drive;
  LoopDrive other;
  drive.claim();
  other.claim();
  const auto taken = take(drive.wanted(), drive.locks());
  CHECK_NOTHROW(taken->check());
  CHECK(taken->state()->cached == Bytes{0});  // looking left nothing in the host's memory

  SECTION("the link moved") {
    fs::remove(drive.link());
    fs::create_symlink(other.path(), drive.link());
    const auto before = drive.digest() + other.digest();
    check_says(*taken, {"link-moved"}, "leads to another device now");
    CHECK(drive.digest() + other.digest() == before);
  }
  SECTION("the link went") {
    fs::remove(drive.link());
    check_says(*taken, {"removed"}, "is not there any more");
  }
  SECTION("the size changed") {
    fs::resize_file(drive.file(), mib(65).count);
    run("losetup", {"--set-capacity", drive.path()});
    check_says(*taken, {"size-differs"}, "has 65 MiB instead of 64 MiB");
  }
  SECTION("something else was written to it") {
    drive.write(65536 + 64, "_BHRfS_M");
    check_says(*taken, {"foreign-signature"}, "holds btrfs");
  }
  SECTION("the label went") {
    drive::wipe_signatures(open_file(drive.path(), O_RDWR, "cannot open").get(), drive.path(), {});
    check_says(*taken, {"not-claimed"}, "is not claimed");
  }
  SECTION("the host caches its file now") {
    run("losetup", {"--direct-io=off", drive.path()});
    check_says(*taken, {"loop-buffered"}, "no direct I/O");
  }
  SECTION("a process opened it") {
    const Child child([&] { return ::open(drive.path().c_str(), O_RDONLY) >= 0; });
    check_says(*taken, {"used-by-process"}, "process " + std::to_string(child.pid()));
  }
  SECTION("a process opened the file behind it") {
    const Child child([&] { return ::open(drive.file().c_str(), O_RDWR) >= 0; });
    check_says(*taken, {"used-by-process"}, "process " + std::to_string(child.pid()));
  }
  SECTION("a second loop device came over its file") {
    const LoopDevice second(drive.file());
    check_says(*taken, {"loop-shared"}, second.name());
  }
}

TEST_CASE("nobody else can mount, hold or format a held drive") {
  LoopDrive drive;
  drive.claim();
  const auto taken = take(drive.wanted(), drive.locks());
  const auto before = drive.digest();
  const auto target = drive.folder() / "mnt";
  fs::create_directories(target);
  CHECK(::mount(drive.path().c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") != 0);
  CHECK(::open(drive.path().c_str(), O_RDONLY | O_EXCL) < 0);
  CHECK(status_of("mke2fs", {"-q", "-F", "-t", "ext4", drive.path()}) != 0);
  CHECK(status_of("wipefs", {"--all", drive.path()}) != 0);
  CHECK(drive.digest() == before);
  SECTION("nor a partition of it") {
    const auto part = drive.add_partition(1, mib(1), mib(16));
    CHECK(::mount(part.c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") != 0);
    run("delpart", {drive.path(), "1"});
  }
}

}  // namespace swaprig::testing
