// Whether real time follows the model at all. Bounds are one-sided where the host may be slow: how well it follows is
// for tests/bench.
#include <chrono>
#include <fstream>

#include "served_drive.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::testing;

namespace {

std::int64_t nanoseconds(const nlohmann::json& counters, const char* name) {
  return counters["drive"][name].get<std::int64_t>();
}

}  // namespace

TEST_CASE("no request leaves before the model has it done") {
  const TemporaryFolder folder;
  const std::string trace = folder.path() / "trace.csv";
  {
    ServedDrive drive(test_hdd(), {"trace=" + trace});
    std::vector<std::string> commands;
    for (int i = 0; i < 30; ++i) commands.push_back("read " + std::to_string(i * 61) + "g 4k");
    CHECK_FALSE(io_failed(drive.io(commands)));
  }
  std::ifstream file(trace);
  std::string line;
  REQUIRE(std::getline(file, line));
  CHECK(line == "arrival_ns,operation,offset,length,modelled_ns,delivered_ns");
  int requests = 0;
  while (std::getline(file, line)) {
    const auto last = line.rfind(',');
    const auto before = line.rfind(',', last - 1);
    CHECK(std::stoll(line.substr(last + 1)) >= std::stoll(line.substr(before + 1, last - before - 1)));
    ++requests;
  }
  CHECK(requests >= 30);
}

TEST_CASE("delays are charged: flush, trim, FUA") {
  ServedDrive drive(test_ssd());
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(io_failed(drive.io({"write -f 0 4k", "discard 0 4k", "flush"})));
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(5 + 20 + 20 + 20));
}

TEST_CASE("time_scale stretches every delay, and what is counted of it") {
  const auto seek_time = [](std::vector<std::string> more) {
    ServedDrive drive(test_hdd(), std::move(more));
    CHECK_FALSE(io_failed(drive.io({"read 1000g 4k"})));
    const auto counters = drive.ask("counters");
    return nanoseconds(counters, "seek_ns");
  };
  const auto plain = static_cast<double>(seek_time({}));
  CHECK(plain > 5e6);
  CHECK(static_cast<double>(seek_time({"time_scale=10"})) == Approx(10 * plain).epsilon(0.001));
  CHECK(static_cast<double>(seek_time({"time_scale=0.5"})) == Approx(0.5 * plain).epsilon(0.001));
}

TEST_CASE("a transport that takes longer than the drive is counted, not hidden") {
  ServedDrive drive(test_ssd(), {"transport=100000000"});
  CHECK_FALSE(io_failed(drive.io({"read 0 4k"})));
  const auto counters = drive.ask("counters");
  CHECK(counters["delivery"]["floor_limited"].get<int>() >= 1);
}
