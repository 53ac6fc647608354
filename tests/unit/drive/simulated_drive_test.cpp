#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "drive/partition_table.hpp"
#include "drive/simulated_bytes.hpp"
#include "drive/simulated_server.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using spec::PartitionType;
using swaprig::testing::holds;
using swaprig::testing::message_of;
using swaprig::testing::names_in;
using swaprig::testing::TestFolder;

namespace {

constexpr const char* k_serial = "sr-0123abcd-hdd";

spec::Drive large_drive() {
  spec::SimulatedBacking backing;
  backing.wanted = "some";
  backing.time_scale = 0.5;
  backing.profile.parameters.size = gib(2000).count;
  spec::Drive drive;
  drive.name = "hdd";
  drive.bus = spec::Bus::scsi;
  drive.backing = backing;
  drive.partitions = {{"odd: name", mib(64), PartitionType::swap, false},
                      {"root", std::nullopt, PartitionType::ext4, true}};
  return drive;
}

/// Everything of the host but nbdkit, which may be missing.
class RunnerWithNbdkit final : public CommandRunner {
 public:
  CommandResult run(const Command& command) override { return m_real.run(command); }
  std::optional<std::filesystem::path> find(const std::string& program) override {
    if (program == "nbdkit") return has_nbdkit ? std::optional<std::filesystem::path>("/x/nbdkit") : std::nullopt;
    return m_real.find(program);
  }
  bool has_nbdkit = true;

 private:
  SystemCommandRunner m_real;
};

constexpr const char* k_before =
    R"({"ok":true,"wall_ns":1000,"time_scale":1.0,"vanished":false,"realtime":true,"starvation_ns":5,)"
    R"("drive":{"operations":{"read":{"requests":1,"bytes":4096,"latency_ns":100,"size_histogram":[[4096,1]],)"
    R"("latency_histogram":[[96,1]]}},"busy_ns":10,"seek_ns":4,"rotation_ns":3,"transfer_ns":2,"queue_ns":1,)"
    R"("electronics_ns":0,"read_hits":0,"read_partial_hits":0,"write_hits":0,"arm_reads":1,"arm_writes":0,)"
    R"("destaged_bytes":0,"distance_strokes":0.25,"regions":[{"name":"p1","requests":1,"bytes_read":4096,)"
    R"("bytes_written":0,"arm_ns":9}],"crossings":[{"from":"p1","to":"p2","moves":1,"seek_ns":4,"rotation_ns":3}]},)"
    R"("delivery":{"requests":1,"late_ns":7,"lateness_histogram":[[0,1]],"floor_limited":0},)"
    R"("backing":{"errors":0,"full":0,"slow":0,"longest_ns":50}})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("only what happened in the window counts") {
  const auto before = parse_counters(k_before);
  CHECK(before.operations.at("read").bytes == 4096);
  CHECK(before.regions.at(0).arm_ns == 9);
  CHECK(before.realtime);

  auto text = replaced(k_before, R"("wall_ns":1000)", R"("wall_ns":6000)");
  text = replaced(text, R"("requests":1,"bytes":4096,"latency_ns":100,"size_histogram":[[4096,1]])",
                  R"("requests":4,"bytes":20480,"latency_ns":400,"size_histogram":[[4096,2],[8192,2]])");
  text = replaced(text, R"("moves":1,"seek_ns":4)", R"("moves":3,"seek_ns":14)");
  text = replaced(text, R"("late_ns":7,"lateness_histogram":[[0,1]])", R"("late_ns":9,"lateness_histogram":[[0,3],[64,1]])");
  const auto grown = difference(before, parse_counters(text));
  CHECK(grown.wall_ns == 5000);
  CHECK(grown.operations.at("read").requests == 3);
  CHECK(grown.operations.at("read").sizes == std::vector<Bucket>{{4096, 1}, {8192, 2}});
  CHECK(grown.crossings.at(0).moves == 2);
  CHECK(grown.crossings.at(0).seek_ns == 10);
  CHECK(grown.late_ns == 2);
  CHECK(grown.lateness == std::vector<Bucket>{{0, 2}, {64, 1}});
  CHECK(grown.busy_ns == 0);

  const auto nothing = difference(before, before);
  CHECK(nothing.wall_ns == 0);
  CHECK(nothing.lateness.empty());
  CHECK(nothing.regions.at(0).requests == 0);
}

TEST_CASE("an answer of another form is an error, not a zero") {
  for (const std::string text : {"", "{}", "null", R"({"ok":true})"}) CHECK_THROWS_AS(parse_counters(text), HostError);
  CHECK_THROWS_AS(parse_counters(replaced(k_before, R"("late_ns":7)", R"("late_ns":"7")")), HostError);
}

TEST_CASE("a quantile is the upper end of its bucket, so that nothing is called less late than it was") {
  CHECK(quantile({}, 0.99) == 0);
  CHECK(quantile({{0, 99}, {1024, 1}}, 0.99) == 0);
  CHECK(quantile({{0, 98}, {1024, 2}}, 0.99) == 1279);   // the bucket from 1024 is a quarter of 1024 wide
}

TEST_CASE("the server is told what it serves, and parts by numbers") {
  ServerSetup setup;
  setup.plugin = "/x/plugin.so";
  setup.socket = "/s/a.nbd";
  setup.control = "/s/a.ctl";
  setup.room = mib(64);
  setup.backing = *large_drive().simulated();
  setup.layout = lay_out(large_drive().partitions, large_drive().size());
  const auto words = server_arguments(setup);
  const auto has = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  CHECK(has("--exit-with-parent"));
  CHECK(has("control=/s/a.ctl"));
  CHECK(has("time_scale=0.5"));
  CHECK(has("room=67108864"));
  CHECK(has("region=p1:1048576:67108864"));
  CHECK(has("region=swapfiles:0:0"));
  CHECK(std::none_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("file="); }));
}

TEST_CASE("a simulated drive takes what is written to it, and loses it before the next run") {
  const TestFolder folder;
  RunnerWithNbdkit commands;
  const bool in_memory = GENERATE(true, false);
  {
    const auto drive =
        make_simulated_drive(large_drive(), {folder.path(), "/s", "/x/plugin.so", in_memory}, k_serial, commands);
    CHECK(drive->attachment().path == std::string("/s/") + k_serial + ".nbd");
    CHECK(drive->attachment().bus == spec::Bus::scsi);
    CHECK(drive->server() != nullptr);
    CHECK_FALSE(drive->state());
    CHECK(names_in(folder.path()).contains("hdd.raw") == !in_memory);
    CHECK_NOTHROW(read_back_layout(drive->bytes(), drive->layout(), k_serial, commands));

    const auto at = static_cast<off_t>(drive->layout().partition("root").offset.count);
    const auto fd = open_file(drive->bytes(), O_RDWR, "cannot open");
    REQUIRE(::pwrite(fd.get(), "x", 1, at) == 1);
    drive->refresh();
    char byte = '?';
    REQUIRE(::pread(fd.get(), &byte, 1, at) == 1);
    CHECK(byte == '\0');
    CHECK_NOTHROW(read_back_layout(drive->bytes(), drive->layout(), k_serial, commands));
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("what a guest cannot boot from, or nothing can serve, is refused") {
  const TestFolder folder;
  RunnerWithNbdkit commands;
  const SimulatedPlaces places{folder.path(), "/s", "/x/plugin.so", true};
  auto drive = large_drive();
  std::get<spec::SimulatedBacking>(drive.backing).profile.parameters.logical_sector = 4096;
  CHECK_THROWS_AS(make_simulated_drive(drive, places, k_serial, commands), UsageError);
  commands.has_nbdkit = false;
  CHECK(holds(message_of([&] { make_simulated_drive(large_drive(), places, k_serial, commands); }), "install nbdkit"));
}
