#include "host/block_counters.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

namespace {

std::string entry(const std::string& qdev, int base) {
  const auto number = [&](int add) { return std::to_string(base + add); };
  return R"({"device":"","qdev":")" + qdev + R"(","stats":{"rd_bytes":)" + number(0) + R"(,"rd_operations":)" +
         number(1) + R"(,"wr_bytes":)" + number(2) + R"(,"wr_operations":)" + number(3) + R"(,"flush_operations":)" +
         number(4) + R"(,"rd_total_time_ns":)" + number(5) + R"(,"wr_total_time_ns":)" + number(6) +
         R"(,"failed_rd_operations":)" + number(7) + R"(,"failed_wr_operations":)" + number(8) + "}}";
}

}  // namespace

TEST_CASE("block counters are found by the drive's alias, whatever the order and the bus") {
  const std::string answer = R"({"return":[)" + entry("/machine/peripheral/ua-drive10/virtio-backend", 500) + "," +
                             entry("/machine/peripheral/ua-drive1", 200) + "," +
                             entry("/machine/peripheral/ua-drive0/virtio-backend", 100) + R"(],"id":"libvirt-9"})";
  const auto counters = parse_block_counters(answer, {"hdd", "ssd"});
  REQUIRE(counters.size() == 2);
  CHECK(counters[0].drive == "hdd");
  CHECK(counters[0].read_bytes == 100);
  CHECK(counters[0].read_requests == 101);
  CHECK(counters[0].write_bytes == 102);
  CHECK(counters[0].write_requests == 103);
  CHECK(counters[0].flush_requests == 104);
  CHECK(counters[0].read_ns == 105);
  CHECK(counters[0].write_ns == 106);
  CHECK(counters[0].failed_reads == 107);
  CHECK(counters[0].failed_writes == 108);
  CHECK(counters[1].drive == "ssd");
  CHECK(counters[1].read_bytes == 200);
}

TEST_CASE("an answer without a drive, or of another form, is an error") {
  const std::string one = R"({"return":[)" + entry("/machine/peripheral/ua-drive0/virtio-backend", 1) + "]}";
  CHECK_THROWS_AS(parse_block_counters(one, {"hdd", "ssd"}), HostError);
  CHECK_THROWS_AS(parse_block_counters("", {"hdd"}), HostError);
  CHECK_THROWS_AS(parse_block_counters(R"({"return":[{"qdev":"/x/ua-drive0"}]})", {"hdd"}), HostError);
  CHECK_THROWS_AS(parse_block_counters(R"({"return":[{"qdev":7}]})", {"hdd"}), HostError);
  CHECK_THROWS_AS(parse_block_counters(R"({"return":[3]})", {"hdd"}), HostError);
}

TEST_CASE("QMP's own errors are told from answers") {
  CHECK(monitor_fault(R"({"return":{}})").empty());
  CHECK(monitor_fault(R"({"error":{"class":"CommandNotFound","desc":"no such command"}})") ==
        "CommandNotFound: no such command");
  CHECK(monitor_fault("nonsense") == "the answer is not JSON");
}
