// A drive that may be used: partitions, file systems, queue settings, what the host caches.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "drive/drive_label.hpp"
#include "drive/queue_settings.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace {

std::string queue(const LoopDrive& drive, const std::string& attribute) {
  return std::string(trim(read_file("/sys/block/" + drive.name() + "/queue/" + attribute)));
}

}  // namespace

TEST_CASE("a claimed drive gets its partitions and file systems, and stays claimed") {
  const auto size = GENERATE(mib(64), Bytes{2'000'398'934'016}, gib(10 * 1024));
  const auto sector = GENERATE(512, 4096);
  LoopDrive drive(size, {sector, true, false});
  drive.claim();
  const auto wanted = drive.wanted();
  for (int again = 0; again < 2; ++again) {
    const auto taken = take(wanted, drive.locks());
    const auto& attachment = taken->attachment();
    CHECK(attachment.source == drive::Attachment::Source::block_device);
    CHECK(attachment.path == drive.link());
    CHECK(attachment.serial == "swaprig-hdd");
    CHECK(attachment.logical_sector == sector);

    const auto table = nlohmann::json::parse(run("sfdisk", {"--json", drive.path()}))["partitiontable"];
    CHECK(table["sectorsize"] == sector);
    CHECK(table["partitions"].size() == 2);
    CHECK(table["partitions"][0]["start"] == (1 << 20) / sector);
    CHECK(table["partitions"][1]["start"] == (17 << 20) / sector);
    run("blkid", {"--probe", "--offset", std::to_string(mib(1).count), "--match-types", "ext4", drive.path()});

    const auto state = taken->state();
    REQUIRE(state.has_value());
    CHECK(state->loop_direct == true);
    CHECK(state->direct_io);
    CHECK(state->image_format.empty());
    CHECK(drive::is_claimed(drive.facts()));
    taken->refresh();
    CHECK(taken->state()->cached == Bytes{0});
  }
}

TEST_CASE("swap on a loop device has all its blocks before the first run") {
  LoopDrive drive;
  drive.claim();
  const auto taken = take(drive.wanted(), drive.locks());
  const auto& swap = taken->layout().partition("swap");
  const auto fd = open_file(drive.file(), O_RDONLY, "cannot open");
  CHECK(::lseek(fd.get(), static_cast<off_t>(swap.offset.count), SEEK_HOLE) >=
        static_cast<off_t>((swap.offset + swap.size).count));
}

TEST_CASE("what the host caches of the file or the device is seen") {
  LoopDrive drive;
  drive.claim();
  const auto taken = take(drive.wanted(), drive.locks());
  REQUIRE(taken->state()->cached == Bytes{0});
  SECTION("of the file") {
    drive.write(mib(20).count, std::string(std::size_t{1} << 20U, 'x'));
    taken->refresh();
    CHECK(read_file(drive.file(), mib(65)).size() == mib(64).count);
    CHECK(taken->state()->cached >= mib(1));
  }
  SECTION("of the device") {
    const auto fd = open_file(drive.path(), O_RDONLY, "cannot open");
    std::string bytes(std::size_t{1} << 20U, '\0');
    REQUIRE(::pread(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    CHECK(taken->state()->cached >= mib(1));
  }
  taken->refresh();
  CHECK(taken->state()->cached == Bytes{0});
}

TEST_CASE("the host's queue settings last as long as the drive is held") {
  LoopDrive drive;
  drive.claim();
  auto wanted = drive.wanted();
  wanted.read_ahead = kib(64);
  const auto text = queue(drive, "scheduler");
  const bool has_other = holds(text, "mq-deadline");
  if (has_other) wanted.scheduler = "mq-deadline";
  const auto read_ahead = queue(drive, "read_ahead_kb");
  const auto is_set = [&] {
    CHECK(queue(drive, "read_ahead_kb") == "64");
    if (has_other) CHECK(drive::chosen_scheduler(queue(drive, "scheduler")) == "mq-deadline");
  };
  const auto is_back = [&] {
    CHECK(queue(drive, "read_ahead_kb") == read_ahead);
    CHECK(queue(drive, "scheduler") == text);
  };
  SECTION("given back in order") {
    {
      const auto taken = take(wanted, drive.locks());
      is_set();
      CHECK(drive::put_back_queue_settings(drive.locks()).empty());  // not while it is alive
      is_set();
    }
    is_back();
    CHECK(drive::put_back_queue_settings(drive.locks()).empty());
  }
  SECTION("killed: the next command puts them back") {
    Child child([&] { return take(wanted, drive.locks()).release() != nullptr; });
    is_set();
    child.end();
    is_set();
    const auto lines = drive::remove_left_drives(drive.locks());
    REQUIRE(lines.size() == 1);
    CHECK(holds(lines.front(), drive.name()));
    is_back();
    CHECK(drive::remove_left_drives(drive.locks()).empty());
  }
  SECTION("killed, and the drive was attached again: nothing is set") {
    Child child([&] { return take(wanted, drive.locks()).release() != nullptr; });
    child.end();
    drive.attach({});
    const auto fresh = queue(drive, "read_ahead_kb");
    CHECK(drive::put_back_queue_settings(drive.locks()).empty());
    CHECK(queue(drive, "read_ahead_kb") == fresh);
  }
}

TEST_CASE("several drives at once") {
  LoopDrive first(gib(2 * 1024)), second(gib(10 * 1024), {4096, true, false}), third;
  for (auto* drive : {&first, &second, &third}) drive->claim();
  const auto a = take(first.wanted(), first.locks());
  const auto b = take(second.wanted(), first.locks());
  const auto c = take(third.wanted(), first.locks());
  for (const auto* taken : {&a, &b, &c}) CHECK_NOTHROW((*taken)->check());
  CHECK(a->layout().drive_size == gib(2 * 1024));
  CHECK(b->layout().drive_size == gib(10 * 1024));
}

}  // namespace swaprig::testing
