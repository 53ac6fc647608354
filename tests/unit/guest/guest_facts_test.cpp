#include "guest/guest_facts.hpp"

#include "base/wire.hpp"
#include "guest/probe_commands.hpp"
#include "guest/probe_job.hpp"
#include "support/catch.hpp"
#include "support/fake_guest_agent.hpp"

using namespace swaprig;
using namespace swaprig::guest;

namespace {

std::string sample_facts() {
  std::string text;
  wire::append_section(text, "sysctl", "name=vm.swappiness\nwanted=70\nfound=70\n");
  wire::append_section(text, "sysctl", "name=vm.lowmem\nwanted=256 32\nfound=256\t32\n");
  wire::append_section(text, "sysctl", "name=vm.nosuch\nwanted=1\nerror=/proc/sys/vm/nosuch: No such file\nfound=\n");
  wire::append_section(text, "release", "6.1.0-57-amd64");
  wire::append_section(text, "cmdline", "console=ttyS0 quiet");
  wire::append_section(text, "swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/vdb1 partition 8 0 -2\n");
  wire::append_section(text, "settings", "vm.page-cluster=3\nclocksource=tsc\n");
  wire::append_section(text, "drive",
                       "device=vda\nserial=sr-data\nsize_bytes=1000\nrotational=0\nscheduler=none\nread_ahead_kib=128\n"
                       "logical_sector_bytes=512\nphysical_sector_bytes=4096\n");
  wire::append_section(text, "drive",
                       "device=nvme0n1\nserial=sr-root\nsize_bytes=2000\nrotational=1\n"
                       "partition=nvme0n1p1 1 1048576 700\npartition=nvme0n1p12 12 2048576 800\n");
  return text;
}

}  // namespace

TEST_CASE("facts are read, drives found by serial and never by name") {
  auto facts = parse_facts(sample_facts());
  CHECK(facts.kernel_release == "6.1.0-57-amd64");
  CHECK(facts.kernel_command_line == "console=ttyS0 quiet");
  REQUIRE(facts.swaps.size() == 1);
  CHECK(facts.settings.at("clocksource") == "tsc");
  REQUIRE(facts.drives.size() == 2);
  CHECK(facts.drives[0].drive.physical_sector_bytes == 4096);
  CHECK_FALSE(facts.drives[0].drive.rotational);
  CHECK(facts.drives[1].drive.rotational);
  CHECK(partition_device(facts, "sr-root", 12) == "/dev/nvme0n1p12");
  CHECK_THROWS_AS(partition_device(facts, "sr-root", 2), AgentError);
  CHECK_THROWS_AS(partition_device(facts, "sr-none", 1), AgentError);
  name_drives(facts, {{"hdd", "sr-root"}, {"ssd", "sr-data"}});
  CHECK(facts.by_serial("sr-root")->drive.drive == "hdd");
  CHECK(facts.holding("nvme0n1p1")->drive.drive == "hdd");
  CHECK(facts.holding("vda")->drive.drive == "ssd");
  CHECK(facts.holding("vdz") == nullptr);
  CHECK_THROWS_AS(name_drives(facts, {{"x", "sr-none"}}), AgentError);
  facts.drives[0].drive.serial = "sr-root";
  CHECK_THROWS_AS(name_drives(facts, {{"hdd", "sr-root"}}), AgentError);
}

TEST_CASE("sysctls hold when they read back the same words") {
  const auto facts = parse_facts(sample_facts());
  REQUIRE(facts.sysctls.size() == 3);
  CHECK(facts.sysctls[0].holds);
  CHECK(facts.sysctls[1].holds);
  CHECK_FALSE(facts.sysctls[2].holds);
  CHECK(facts.sysctls[2].found == "/proc/sys/vm/nosuch: No such file");
}

TEST_CASE("facts are asked for in one call") {
  testing::FakeGuestAgent agent;
  agent.on_exec = [](const auto&) { return ExecResult{0, false, sample_facts(), ""}; };
  read_facts(agent, {{"vm.swappiness", "70"}});
  REQUIRE(agent.commands.size() == 1);
  CHECK(agent.commands[0] == std::vector<std::string>{wire::k_probe_path, "facts", "--sysctl=vm.swappiness=70"});
  agent.on_exec = [](const auto&) { return ExecResult{1, false, "", "broken"}; };
  CHECK_THROWS_AS(read_facts(agent, {}), AgentError);
}

TEST_CASE("facts cut or changed anywhere are facts or an agent error") {
  const auto whole = sample_facts();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (auto text : {whole.substr(0, i), whole.substr(0, i) + '\xff' + whole.substr(i + 1)}) {
      try {
        parse_facts(text);
      } catch (const AgentError&) {
        continue;
      }
    }
  }
  CHECK_THROWS_AS(parse_facts(whole.substr(0, whole.size() - 1)), AgentError);
  CHECK_THROWS_AS(parse_facts(""), AgentError);
}

TEST_CASE("the settling tells how long it waited") {
  const auto settled = parse_settled("sync_ms=29\nidle_ms_waited=1012\nreached=1\n");
  CHECK(settled.sync_seconds == Approx(0.029));
  CHECK(settled.idle_wait_seconds == Approx(1.012));
  CHECK(settled.idle_reached);
  CHECK_FALSE(parse_settled("sync_ms=29\nidle_ms_waited=60000\nreached=0\n").idle_reached);
  for (const char* broken : {"", "sync_ms=1\n", "idle_ms_waited=-1\nreached=1\n", "idle_ms_waited=x\nreached=1\n"}) {
    INFO(broken);
    CHECK_THROWS_AS(parse_settled(broken), AgentError);
  }
  testing::FakeGuestAgent agent;
  agent.on_exec = [](const auto&) { return ExecResult{0, false, "sync_ms=1\nidle_ms_waited=1\nreached=1\n", ""}; };
  settle(agent, {"vda", "vdb"}, std::chrono::seconds(1), std::chrono::minutes(1));
  CHECK(agent.commands.at(0) == std::vector<std::string>{wire::k_probe_path, "settle", "--devices=vda,vdb",
                                                         "--idle-ms=1000", "--limit-ms=60000"});
}

TEST_CASE("extents are read in file order") {
  const auto extents = parse_extents("device=vda3\nsize=100\nextent=4096 8192 0\nextent=0 4096 1\n");
  CHECK(extents.block_device == "vda3");
  REQUIRE(extents.ranges.size() == 2);
  CHECK(extents.ranges[0] == std::pair<std::int64_t, std::int64_t>(4096, 8192));
  for (const char* broken : {"", "extent=1 2 3\n", "device=vda\nextent=1 2\n", "device=vda\nextent=-1 2 3\n"}) {
    INFO(broken);
    CHECK_THROWS_AS(parse_extents(broken), AgentError);
  }
}

TEST_CASE("a job is written for the probe") {
  ProbeJob job;
  job.command = {"sh", "-c", "echo a\necho b"};
  job.environment = {{"A", "1=2"}};
  job.user = "builder";
  job.timeout = std::chrono::minutes(1);
  job.devices = {"vda"};
  CHECK(encode_job(job) ==
        "version=1\ndirectory=/\nuser=builder\ntimeout_ms=60000\nsample_ms=1000\noutput_limit=65536\n"
        "argument=sh\nargument=-c\nargument=echo a\\necho b\nenvironment=A=1=2\ndevice=vda\n");
}
