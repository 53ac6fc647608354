#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include "served_drive.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::testing;

namespace {

constexpr std::uint64_t k_gib = 1ULL << 30U;

bool said_io_error(const CommandResult& result) {
  return (result.out + result.err).find("Input/output error") != std::string::npos;
}

/// A mount name space of its own, with a tmpfs of 1 MiB on `folder`.
std::vector<std::string> in_small_tmpfs(const std::filesystem::path& folder) {
  std::vector<std::string> words{"unshare", "--mount"};
  if (geteuid() != 0) words.emplace_back("--map-root-user");
  for (const char* word : {"sh", "-c", "mount -t tmpfs -o size=1m tmpfs \"$0\" && exec \"$@\""})
    words.emplace_back(word);
  words.push_back(folder);
  return words;
}

}  // namespace

TEST_CASE("bad ranges fail, the rest does not") {
  ServedDrive drive(null_drive(k_gib), {"bad=1048576:4096:read", "bad=2097152:4096:write"});
  CHECK(said_io_error(drive.io({"read 1m 4k"})));
  CHECK(said_io_error(drive.io({"read 1020k 64k"})));
  CHECK_FALSE(io_failed(drive.io({"write 1m 4k"})));
  CHECK(said_io_error(drive.io({"write 2m 512"})));
  CHECK(said_io_error(drive.io({"write -z 2m 4k"})));
  CHECK_FALSE(io_failed(drive.io({"read 2m 4k", "read 0 1m"})));
}

TEST_CASE("a range can turn bad while the drive runs") {
  ServedDrive drive(null_drive(k_gib));
  CHECK_FALSE(io_failed(drive.io({"write -P 1 0 64k", "read -P 1 0 64k"})));
  CHECK(drive.ask("bad 0:4096:both")["ok"] == true);
  CHECK(said_io_error(drive.io({"read 0 4k"})));
  CHECK(said_io_error(drive.io({"write 0 4k"})));
  CHECK_FALSE(io_failed(drive.io({"read -P 1 4k 60k"})));
}

TEST_CASE("a range can turn bad later") {
  ServedDrive drive(null_drive(k_gib));
  CHECK(drive.ask("bad 0:4096:read:300")["ok"] == true);
  CHECK(drive.ask("bad 4096:4096:read:3600000")["ok"] == true);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  CHECK(said_io_error(drive.io({"read 0 4k"})));
  CHECK_FALSE(io_failed(drive.io({"read 4k 4k"})));
}

TEST_CASE("a drive that vanishes fails everything, waiting requests too") {
  auto slow = test_ssd();
  slow.ssd.read_latency = std::chrono::seconds(30);
  ServedDrive drive(slow);
  auto waiting = std::async(std::launch::async, [&] { return drive.io({"read 0 4k"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begin = std::chrono::steady_clock::now();
  CHECK(drive.ask("vanish")["ok"] == true);
  CHECK(io_failed(waiting.get()));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  CHECK(io_failed(drive.io({"read 0 4k"})));
  CHECK(drive.ask("counters")["vanished"] == true);
}

TEST_CASE("a drive can vanish by itself") {
  ServedDrive drive(null_drive(k_gib), {"vanish=500"});
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  CHECK(io_failed(drive.io({"read 0 4k"})));
  CHECK(drive.ask("counters")["vanished"] == true);
}

TEST_CASE("a backing takes no more than its room") {
  ServedDrive drive(null_drive(k_gib), {"room=67108864"});
  CHECK_FALSE(io_failed(drive.io({"write 0 32m"})));
  const auto result = drive.io({"write 32m 128m"});
  CHECK(said_io_error(result));
  CHECK(drive.ask("counters")["backing"]["full"].get<int>() >= 1);
  CHECK_FALSE(io_failed(drive.io({"read 0 64k"})));
  // Room that is given back can be taken again.
  CHECK_FALSE(io_failed(drive.io({"discard 0 160m", "write 0 16m"})));
}

TEST_CASE("a full backing is an I/O error, not an appeal for space") {
  const TemporaryFolder folder;
  ServedDrive drive(null_drive(k_gib), {"file=" + (folder.path() / "backing").string()}, in_small_tmpfs(folder.path()));
  CHECK_FALSE(io_failed(drive.io({"write 0 64k"})));
  const auto result = drive.io({"write 0 4m"});
  CHECK(said_io_error(result));
  const auto counters = drive.ask("counters");
  CHECK(counters["backing"]["full"].get<int>() >= 1);
  CHECK_FALSE(io_failed(drive.io({"read 0 64k"})));
}
