#include "drive/partition_table.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using spec::PartitionType;

namespace {

Layout two_partitions() {
  return lay_out(
      {{"swap \"1\"\n", mib(16), PartitionType::swap, false}, {"root", std::nullopt, PartitionType::ext4, true}},
      mib(64));
}

/// What sfdisk would say of the layout.
nlohmann::json good_answer(const Layout& layout, const std::string& serial) {
  nlohmann::json partitions = nlohmann::json::array();
  for (const auto& partition : layout.partitions) {
    partitions.push_back({{"node", "x" + std::to_string(partition.number)},
                          {"start", partition.offset.count / 512},
                          {"size", partition.size.count / 512},
                          {"type", partition.type == PartitionType::swap ? "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F"
                                                                         : "0FC63DAF-8483-4772-8E79-3D69D8477DE4"},
                          {"uuid", guid_from(serial, "partition " + std::to_string(partition.number))},
                          {"name", partition.name == "root" ? "root" : "swap-1-" + partition.name}});
  }
  return {{"partitiontable",
           {{"label", "gpt"}, {"id", guid_from(serial, "disk")}, {"sectorsize", 512}, {"partitions", partitions}}}};
}

}  // namespace

TEST_CASE("ids of a drive depend on its serial alone") {
  CHECK(guid_from("sr-1", "disk") == guid_from("sr-1", "disk"));
  CHECK(guid_from("sr-1", "disk") != guid_from("sr-2", "disk"));
  CHECK(guid_from("sr-1", "disk") != guid_from("sr-1", "partition 1"));
  const auto guid = guid_from("sr-1", "disk");
  REQUIRE(guid.size() == 36);
  CHECK(guid[14] == '8');
  CHECK(guid[19] == '8');
}

TEST_CASE("a name cannot leave its line of the script") {
  const auto script = partition_script(two_partitions(), "sr-1");
  CHECK(script.find("start=2048, size=32768, type=0657FD6D-A4AB-43C4-84E5-0933C84B4F4F") != std::string::npos);
  CHECK(script.find("name=\"root\"") != std::string::npos);
  CHECK(script.find("\"1\"") == std::string::npos);
  CHECK(std::count(script.begin(), script.end(), '\n') == 7);
}

TEST_CASE("whatever differs in the table is named") {
  const auto layout = lay_out({{"root", std::nullopt, PartitionType::ext4, true}}, mib(64));
  const std::string serial = "sr-1";
  auto answer = good_answer(layout, serial);
  CHECK(table_differences(answer.dump(), layout, serial).empty());
  CHECK(table_differences(answer.dump(), layout, "sr-2").size() == 2);

  auto& table = answer["partitiontable"];
  auto& partition = table["partitions"][0];
  SECTION("start") {
    partition["start"] = 4096;
    const auto differences = table_differences(answer.dump(), layout, serial);
    REQUIRE(differences.size() == 1);
    CHECK(differences[0] == "partition 1: start is 4096 instead of 2048");
  }
  SECTION("size") { partition["size"] = 1; }
  SECTION("type") { partition["type"] = "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F"; }
  SECTION("label") { partition["name"] = "other"; }
  SECTION("kind of table") { table["label"] = "dos"; }
  SECTION("a partition too many") { table["partitions"].push_back(partition); }
  SECTION("none") { table.erase("partitions"); }
  CHECK(table_differences(answer.dump(), layout, serial).size() == 1);
}

TEST_CASE("an answer that is none is an error, not a match") {
  const auto layout = two_partitions();
  CHECK_THROWS_AS(table_differences("", layout, "s"), HostError);
  CHECK_THROWS_AS(table_differences("{}", layout, "s"), HostError);
  CHECK_THROWS_AS(table_differences(R"({"partitiontable":{"label":1,"id":"x"}})", layout, "s"), HostError);
}
