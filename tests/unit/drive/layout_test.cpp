#include "base/error.hpp"
#include "drive/attachment.hpp"
#include "drive/partition_name.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using drive::lay_out;
using spec::Partition;
using spec::PartitionType;

TEST_CASE("partitions lie in the order of the file, one behind the other") {
  const auto layout = lay_out({{"swap-start", mib(16), PartitionType::swap, false},
                               {"root", std::nullopt, PartitionType::ext4, true},
                               {"swap-end", mib(8), PartitionType::swap, false}},
                              mib(100));
  REQUIRE(layout.partitions.size() == 3);
  CHECK(layout.drive_size == mib(100));
  CHECK(layout.partitions[0] == drive::PlacedPartition{"swap-start", 1, mib(1), mib(16), PartitionType::swap, false});
  CHECK(layout.partitions[1] == drive::PlacedPartition{"root", 2, mib(17), mib(74), PartitionType::ext4, true});
  CHECK(layout.partitions[2] == drive::PlacedPartition{"swap-end", 3, mib(91), mib(8), PartitionType::swap, false});
  CHECK(&layout.partition("root") == &layout.partitions[1]);
}

TEST_CASE("sizes are rounded up to whole MiB") {
  const auto layout = lay_out({{"a", Bytes{1}, PartitionType::swap, false},
                               {"b", mib(2) + Bytes{512}, PartitionType::swap, false},
                               {"c", mib(3), PartitionType::swap, false}},
                              mib(32));
  CHECK(layout.partition("a").size == mib(1));
  CHECK(layout.partition("b").size == mib(3));
  CHECK(layout.partition("c").size == mib(3));
  CHECK(layout.partition("c").offset == mib(5));
}

TEST_CASE("the first and the last MiB of a drive stay free") {
  CHECK_NOTHROW(lay_out({{"all", mib(30), PartitionType::swap, false}}, mib(32)));
  CHECK_THROWS_AS(lay_out({{"all", mib(31), PartitionType::swap, false}}, mib(32)), UsageError);
  CHECK_THROWS_AS(lay_out({{"all", mib(30) + Bytes{1}, PartitionType::swap, false}}, mib(32)), UsageError);

  SECTION("of a drive that is no whole number of MiB as well: 2 TB as they are sold") {
    const Bytes two_terabytes{2000398934016};
    const auto layout = lay_out({{"rest", std::nullopt, PartitionType::ext4, true}}, two_terabytes);
    const auto& rest = layout.partition("rest");
    const auto end = rest.offset + rest.size;
    CHECK(end.count % mib(1).count == 0);
    CHECK(end + mib(1) <= two_terabytes);
    CHECK(end + mib(2) > two_terabytes);
  }
}

TEST_CASE("what does not fit is refused") {
  CHECK_THROWS_AS(lay_out({}, mib(2)), UsageError);
  CHECK_THROWS_AS(lay_out({{"a", Bytes{}, PartitionType::swap, false}}, mib(32)), UsageError);
  CHECK_THROWS_AS(lay_out({{"a", Bytes{UINT64_MAX}, PartitionType::swap, false}}, mib(32)), UsageError);
  CHECK_THROWS_AS(
      lay_out({{"a", mib(20), PartitionType::swap, false}, {"b", mib(11), PartitionType::swap, false}}, mib(32)),
      UsageError);
  CHECK_THROWS_AS(
      lay_out({{"a", std::nullopt, PartitionType::swap, false}, {"b", std::nullopt, PartitionType::swap, false}},
              mib(32)),
      UsageError);

  SECTION("a rest of nothing") {
    CHECK_THROWS_AS(
        lay_out({{"a", mib(30), PartitionType::swap, false}, {"b", std::nullopt, PartitionType::swap, false}}, mib(32)),
        UsageError);
  }
  SECTION("more partitions than the table holds") {
    const std::vector<Partition> many(129, Partition{"p", mib(1), PartitionType::swap, false});
    CHECK_THROWS_AS(lay_out(many, gib(1)), UsageError);
  }
  SECTION("the message names the partition and what is left") {
    try {
      lay_out({{"a", mib(20), PartitionType::swap, false}, {"big\none", mib(11), PartitionType::swap, false}}, mib(32));
      FAIL("laid out");
    } catch (const UsageError& error) {
      const std::string message = error.what();
      CHECK(message.find("big\\none (11 MiB) does not fit: 10 MiB") != std::string::npos);
    }
  }
}

TEST_CASE("a device whose name ends in a digit gets a p before the number (case 6)") {
  CHECK(drive::partition_name("vda", 1) == "vda1");
  CHECK(drive::partition_name("sdb", 12) == "sdb12");
  CHECK(drive::partition_name("nvme0n1", 1) == "nvme0n1p1");
  CHECK(drive::partition_name("loop0", 1) == "loop0p1");
  CHECK(drive::partition_name("mmcblk1", 3) == "mmcblk1p3");
  CHECK(drive::partition_name("/dev/nbd15", 2) == "/dev/nbd15p2");
}
