// One partition of a drive, whose rest is somebody else's.
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "drive/device_claim.hpp"
#include "drive/drive_label.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace fs = std::filesystem;

namespace {

/// A drive with three partitions: somebody's file system, ours, somebody's bytes.
struct Shared {
  LoopDrive drive{mib(128)};
  std::string first, ours, last;

  Shared() {
    run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()},
        "label: gpt\nstart=1MiB, size=32MiB\nsize=32MiB\nsize=32MiB\n");
    first = drive.add_partition(1, mib(1), mib(32));
    ours = drive.add_partition(2, mib(33), mib(32));
    last = drive.add_partition(3, mib(65), mib(32));
    run("mke2fs", {"-q", "-F", "-t", "ext4", first});
    drive.write(mib(65).count, std::string(std::size_t{2} << 20U, 'x'));
    drive.write(mib(32).count, std::string(std::size_t{1} << 20U, 'y'));
  }

  drive::BlockDevice facts() const {
    const auto number = drive::look_up(ours).number;
    return drive::device_at(ours, drive::read_block_devices(commands(), {number, false, "/dev/disk"}));
  }
  void claim() const { drive::claim_device(ours, facts().partuuid, drive.locks(), commands()); }

  /// Named as udev names it.
  spec::DeviceBacking wanted() const {
    const auto device = facts();
    const auto link = drive.folder() / device.partuuid;
    fs::remove(link);
    fs::create_symlink(ours, link);
    return {link.string(), true, "", device.size, "", std::nullopt, false};
  }

  /// Of all bytes but the partition's.
  std::string rest() const {
    const auto fd = open_file(drive.file(), O_RDONLY, "cannot read");
    std::string bytes(mib(128).count, '\0');
    REQUIRE(::pread(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    return sha256(bytes.replace(mib(33).count, mib(32).count, ""));
  }
};

}  // namespace

TEST_CASE("one partition is claimed, used and released, and nothing beside it changes") {
  const Shared shared;
  const auto rest = shared.rest();
  check_refused(shared.drive, shared.wanted(), {"not-claimed"}, "is not claimed");
  shared.claim();
  CHECK(drive::is_claimed(shared.facts()));
  CHECK(shared.rest() == rest);
  {
    const auto taken = take(shared.wanted(), shared.drive.locks());
    CHECK_NOTHROW(taken->check());
    CHECK(taken->state()->neighbours_untouched == true);
    CHECK(taken->layout().partition("root").offset == mib(1));
    CHECK(taken->bytes() == shared.ours);
    CHECK(holds(run("sfdisk", {"--json", shared.ours}), "\"root\""));
    CHECK(shared.rest() == rest);
  }
  CHECK(fs::exists(shared.first));  // the kernel's partitions of the drive stay
  drive::release_device(shared.ours, shared.drive.locks(), commands());
  CHECK(shared.facts().signatures.empty());
  CHECK(shared.rest() == rest);
}

TEST_CASE("a write beside the partition is seen") {
  const Shared shared;
  shared.claim();
  const auto taken = take(shared.wanted(), shared.drive.locks());
  const auto offset = GENERATE(mib(33).count - 512, mib(65).count);
  shared.drive.write(offset, std::string(512, 'z'));
  CHECK(holds(message_of([&] { taken->check(); }), "what lies beside the partition"));
  CHECK(taken->state()->neighbours_untouched == false);
}

TEST_CASE("the PARTUUID has to be the one in the path") {
  const Shared shared;
  shared.claim();
  auto wanted = shared.wanted();
  wanted.path = (shared.drive.folder() / "ffffffff-0000-4000-8000-000000000000").string();
  fs::create_symlink(shared.ours, wanted.path);
  check_refused(shared.drive, wanted, {"id-changed"},
                "the partition there has the PARTUUID " + shared.facts().partuuid);
}

TEST_CASE("a partition is no drive, and a drive no partition") {
  const Shared shared;
  shared.claim();
  auto wanted = shared.wanted();
  SECTION("partition as drive") {
    wanted.one_partition = false;
    check_refused(shared.drive, wanted, {"whole-or-part"}, "is a partition");
  }
  SECTION("drive as partition") {
    fs::remove(wanted.path);
    fs::create_symlink(shared.drive.path(), wanted.path);
    wanted.size = mib(128);
    check_refused(shared.drive, wanted, {"foreign-signature", "id-changed", "not-claimed", "whole-or-part"},
                  "is a whole drive");
  }
}

TEST_CASE("another size of the partition") {
  const Shared shared;
  shared.claim();
  auto wanted = shared.wanted();
  wanted.size = mib(31);
  check_refused(shared.drive, wanted, {"size-differs"}, "has 32 MiB instead of 31 MiB");
}

TEST_CASE("the partition itself in use") {
  const Shared shared;
  run("mke2fs", {"-q", "-F", "-t", "ext4", shared.ours});
  const auto target = shared.drive.folder() / "mnt";
  fs::create_directories(target);
  const auto wanted = shared.wanted();
  REQUIRE(::mount(shared.ours.c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") == 0);
  check_refused(shared.drive, wanted, {"foreign-signature", "mounted", "not-claimed"}, "is mounted on");
  ::umount(target.c_str());
}

TEST_CASE("a neighbour in use, which can be allowed") {
  const Shared shared;
  shared.claim();
  const auto target = shared.drive.folder() / "mnt";
  fs::create_directories(target);
  const auto wanted = shared.wanted();
  REQUIRE(::mount(shared.first.c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") == 0);
  check_refused(shared.drive, wanted, {"neighbour-in-use"},
                shared.drive.name() + "p1 on the same drive is in use: on ");
  const auto rest = shared.rest();
  {
    const auto taken = take(wanted, shared.drive.locks(), {"neighbour-in-use"});
    CHECK_FALSE(taken->state()->neighbours_untouched.has_value());  // somebody else may write there
  }
  CHECK(shared.rest() == rest);
  ::umount(target.c_str());
}

TEST_CASE("the whole drive in use as one") {
  const Shared shared;
  shared.claim();
  const auto wanted = shared.wanted();
  SECTION("open in a process") {
    const Child child([&] { return ::open(shared.drive.path().c_str(), O_RDWR) >= 0; });
    check_refused(shared.drive, wanted, {"partition-in-use"}, "the whole drive " + shared.drive.name() + " is in use");
  }
  SECTION("below a loop device") {
    const LoopDevice above(shared.drive.path());
    check_refused(shared.drive, wanted, {"partition-in-use"}, "the loop device " + above.name());
  }
}

TEST_CASE("two partitions of one drive are not used at once") {
  const Shared shared;
  shared.claim();
  const auto first = take(shared.wanted(), shared.drive.locks());
  check_refused(shared.drive, shared.wanted(), {"locked-by-other-swaprig"}, "drive " + shared.drive.name());
}

}  // namespace swaprig::testing
