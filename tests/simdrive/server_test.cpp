#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "served_drive.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::testing;

namespace {
constexpr std::uint64_t k_gib = 1ULL << 30U;
}  // namespace

TEST_CASE("what was written is read back, what was not is zero, at any place of a large drive") {
  ServedDrive drive(null_drive(2000398934016));
  const auto result =
      drive.io({"write -P 0xab 0 64k", "write -P 0xcd 1800g 4k", "write -P 0x11 512 512", "read -P 0xcd 1800g 4k",
                "read -P 0xab 1024 63k", "read -P 0x11 512 512", "read -P 0 1g 1m", "write -z 0 4k", "read -P 0 0 4k",
                "read -P 0xab 4k 4k", "discard 8k 4k", "read -P 0 8k 4k", "write -f -P 0x77 1m 1m", "flush",
                "read -P 0x77 1m 1m"});
  INFO(result.out << result.err);
  CHECK_FALSE(io_failed(result));
}

TEST_CASE("many writers at once lose nothing") {
  ServedDrive drive(null_drive(k_gib));
  const auto result =
      drive.run("fio", {"--name=verify", "--ioengine=nbd", "--uri=" + drive.uri(), "--rw=randwrite", "--bsrange=4k-64k",
                        "--size=8m", "--iodepth=16", "--verify=crc32c", "--verify_fatal=1"});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out.find("err= 0") != std::string::npos);
}

TEST_CASE("a file keeps the bytes, sparsely, for the next server") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "backing";
  {
    ServedDrive drive(null_drive(1000 * k_gib), {"file=" + file});
    CHECK_FALSE(io_failed(drive.io({"write -P 0x42 900g 64k"})));
  }
  struct stat status = {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK(static_cast<std::uint64_t>(status.st_size) == 1000 * k_gib);
  CHECK(status.st_blocks * 512 < 1 << 20);
  ServedDrive drive(null_drive(1000 * k_gib), {"file=" + file});
  CHECK_FALSE(io_failed(drive.io({"read -P 0x42 900g 64k"})));
}

TEST_CASE("the host is told what the drive is") {
  ServedDrive hdd(test_hdd());
  const auto info = hdd.run("nbdinfo", {"--json", hdd.uri()});
  REQUIRE(info.status == 0);
  const auto drive = nlohmann::json::parse(info.out)["exports"][0];
  CHECK(drive["export-size"] == 2000398934016);
  CHECK(drive["is_rotational"] == true);
  CHECK(drive["can_fua"] == true);
  CHECK(drive["can_multi_conn"] == true);
  CHECK(drive["can_trim"] == true);
  CHECK(drive["block_size_minimum"] == 512);
  const auto hello = hdd.ask("hello");
  CHECK(hello["ok"] == true);
  CHECK(hello["kind"] == "hdd");
  CHECK(hello["pid"] == hdd.pid());
}

TEST_CASE("counters tell what was done, by operation and region") {
  ServedDrive drive(test_hdd(), {"region=root:1073741824:10737418240", "region=swap: end:1000000000000:4294967296"});
  const auto before = drive.ask("counters");
  CHECK(before["drive"]["operations"]["write"]["requests"] == 0);
  const auto result =
      drive.io({"read 2g 64k", "read 1000000000000 64k", "read 3g 4k", "write 4g 8k", "flush", "discard 0 4k"});
  INFO(result.out << result.err);
  REQUIRE_FALSE(io_failed(result));
  const auto after = drive.ask("counters");
  const auto& counters = after["drive"];
  CHECK(after["ok"] == true);
  CHECK(counters["operations"]["read"]["bytes"] >= 132 * 1024);
  CHECK(counters["operations"]["write"]["requests"] == 1);
  CHECK(counters["operations"]["write"]["bytes"] == 8192);
  CHECK(counters["operations"]["flush"]["requests"] >= 1);
  CHECK(counters["operations"]["trim"]["requests"] == 1);
  CHECK(counters["operations"]["write"]["size_histogram"] == nlohmann::json::parse("[[8192,1]]"));
  CHECK(counters["regions"][1]["name"] == "root");
  CHECK(counters["regions"][1]["bytes_written"] == 8192);
  CHECK(counters["regions"][2]["name"] == "swap: end");
  CHECK(counters["regions"][2]["bytes_read"] == 65536);
  const auto time = [&](const char* name) { return counters[name].get<std::int64_t>(); };
  CHECK(time("busy_ns") == time("seek_ns") + time("rotation_ns") + time("transfer_ns"));
  CHECK(time("seek_ns") > 10'000'000);
  std::int64_t crossing = 0;
  for (const auto& move : counters["crossings"]) {
    if (move["from"] != move["to"]) crossing += move["seek_ns"].get<std::int64_t>();
  }
  CHECK(crossing > 10'000'000);
  CHECK(after["delivery"]["requests"].get<int>() >= 6);
  CHECK(after["delivery"]["late_ns"] < after["wall_ns"]);
  CHECK(after["backing"]["errors"] == 0);
  CHECK(after.contains("starvation_ns"));
}

TEST_CASE("the control socket is for its owner, and says no to nonsense") {
  ServedDrive drive(null_drive(k_gib));
  struct stat status = {};
  REQUIRE(stat(drive.control_socket().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  for (const char* line : {"", "erase", "bad", "bad 0:512:erase", "bad 99999999999:512:read", "\x01\xff"}) {
    const auto answer = drive.ask(line);
    CHECK(answer["ok"] == false);
    CHECK_FALSE(answer["error"].get<std::string>().empty());
  }
  CHECK(drive.ask("hello")["ok"] == true);
}

TEST_CASE("SIGTERM ends it at once and leaves nothing") {
  ServedDrive drive(test_hdd());
  CHECK_FALSE(io_failed(drive.io({"write 1g 1m"})));
  drive.signal(SIGTERM);
  const auto status = drive.wait_for_end();
  REQUIRE(status.has_value());
  CHECK(WIFEXITED(*status));
  CHECK(WEXITSTATUS(*status) == 0);
  CHECK_FALSE(std::filesystem::exists(drive.control_socket()));
}

TEST_CASE("quit ends it as well") {
  ServedDrive drive(test_hdd());
  CHECK(drive.ask("quit")["ok"] == true);
  CHECK(drive.wait_for_end().has_value());
}

TEST_CASE("wrong parameters end it with a reason") {
  const auto hdd = simdrive::encode(test_hdd());
  const auto refused = [&](std::vector<std::string> more, const std::string& reason) {
    std::vector<std::string> all = hdd;
    all.insert(all.end(), more.begin(), more.end());
    const auto result = try_to_serve(all);
    INFO(reason << "\n" << result.err);
    CHECK(result.status == 1);
    CHECK_FALSE(result.timed_out);
    CHECK(result.err.find(reason) != std::string::npos);
  };
  refused({"speed=1"}, "unknown parameter speed");
  refused({"time_scale=0"}, "time_scale");
  refused({"time_scale=fast"}, "time_scale");
  refused({"size=1000"}, "not a multiple");
  refused({"inner_rate=200000000"}, "above the outer rate");
  refused({"rpm=-1"}, "rpm");
  refused({"bad=2000398934016:512:read"}, "outside the drive");
  refused({"region=a:0:4096", "region=b:2048:4096"}, "overlaps");
  refused({"region=a:2000398934016:4096"}, "outside the drive");
  refused({"file=/no/such/folder/file"}, "/no/such/folder/file");
  refused({"file=/dev/null"}, "regular file");
  refused({"control=/tmp/" + std::string(110, 'x')}, "choose a shorter folder");
}

TEST_CASE("a taken socket or a file of another size is refused") {
  const TemporaryFolder folder;
  const std::string taken = folder.path() / "taken";
  std::ofstream(taken) << "x";
  auto parameters = simdrive::encode(null_drive(k_gib));
  parameters.push_back("control=" + taken);
  const auto result = try_to_serve(parameters);
  CHECK(result.status == 1);
  CHECK(result.err.find("the path is taken") != std::string::npos);
  CHECK(std::filesystem::exists(taken));
  parameters.back() = "file=" + taken;
  CHECK(try_to_serve(parameters).err.find("has 1 bytes") != std::string::npos);
}
