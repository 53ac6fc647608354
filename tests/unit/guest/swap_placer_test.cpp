#include "guest/swap_placer.hpp"

#include "base/wire.hpp"
#include "support/catch.hpp"
#include "support/fake_guest_agent.hpp"

using namespace swaprig;
using namespace swaprig::guest;

namespace {

constexpr const char* k_header = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
constexpr const char* k_both =
    "/dev/vdb2 partition 614396 0 -2\n"
    "/swapfile file 65532 0 5\n";

std::vector<PlannedSwap> plan() {
  PlannedSwap partition;
  partition.area.kind = "partition";
  partition.steps = {{"write the swap header", {"mkswap", "/dev/vdb2"}, {}},
                     {"switch the swap area on", {"swapon", "/dev/vdb2"}, {}}};
  partition.expected = {"/dev/vdb2", "partition", mib(600) - kib(4), std::nullopt};
  PlannedSwap file;
  file.area.kind = "fallocate";
  file.steps = {{"reserve the file", {"fallocate", "-l", "67108864", "/swapfile"}, {"Operation not supported"}},
                {"switch the swap area on", {"swapon", "-p", "5", "/swapfile"}, {"it appears to have holes."}}};
  file.expected = {"/swapfile", "file", mib(64) - kib(4), 5};
  return {partition, file};
}

GuestFacts facts() {
  GuestFacts facts;
  FoundDrive root;
  root.drive.drive = "hdd";
  root.drive.device = "vda";
  root.partitions = {{"vda1", 1, 1 << 20, 700 << 20}};
  FoundDrive second;
  second.drive.drive = "nvme";
  second.drive.device = "vdb";
  second.partitions = {{"vdb1", 1, 1 << 20, 10 << 20}, {"vdb2", 2, 11 << 20, 600 << 20}};
  facts.drives = {root, second};
  return facts;
}

/// Steps succeed in half a second, extents are two.
struct Guest {
  testing::FakeGuestAgent agent;
  std::string failing;  ///< program that fails
  std::string words;    ///< and says this

  Guest() {
    agent.files["/proc/swaps"] = std::string(k_header) + k_both;
    agent.on_exec = [this](const std::vector<std::string>& command) {
      ExecResult result;
      if (command.at(1) == "extents") {
        result.out = "device=vda1\nsize=67108864\nextent=4096 33554432 0\nextent=100000000 33554432 1\n";
      } else {
        result.out = "step_ns=500000000\n";
        if (command.at(2) == failing) result.status = 1;
        if (command.at(2) == failing) result.err = words;
      }
      return result;
    };
  }

  /// Without the probe's own name and "step".
  std::vector<std::string> steps() const {
    std::vector<std::string> lines;
    for (const auto& command : agent.commands) {
      if (command.at(1) != "step") continue;
      CHECK(command.at(0) == wire::k_probe_path);
      std::string line;
      for (std::size_t i = 2; i < command.size(); ++i) line += (i > 2 ? " " : "") + command[i];
      lines.push_back(line);
    }
    return lines;
  }
};

}  // namespace

TEST_CASE("areas are placed in order, timed, found on their drives") {
  Guest guest;
  SwapPlacer placer(guest.agent, plan());
  const auto placed = placer.place(facts());
  CHECK(guest.steps() == std::vector<std::string>{"mkswap /dev/vdb2", "swapon /dev/vdb2",
                                                  "fallocate -l 67108864 /swapfile", "swapon -p 5 /swapfile"});
  CHECK(placed.swaps.size() == 2);
  REQUIRE(placed.steps.size() == 4);
  CHECK(placed.steps[2].what == "reserve the file: /swapfile");
  CHECK(placed.steps[2].seconds == Approx(0.5));
  REQUIRE(placed.areas.size() == 2);
  CHECK(placed.areas[0].kind == "partition");
  CHECK(placed.areas[0].block_device == "vdb2");
  CHECK(placed.areas[0].own_block_device);
  REQUIRE(placed.areas[0].extents.size() == 1);
  CHECK(placed.areas[0].extents[0].drive == "nvme");
  CHECK(placed.areas[0].extents[0].offset_bytes == 11 << 20);
  CHECK(placed.areas[0].extents[0].size_bytes == 600 << 20);
  CHECK(placed.areas[1].block_device == "vda1");
  CHECK_FALSE(placed.areas[1].own_block_device);
  REQUIRE(placed.areas[1].extents.size() == 2);
  CHECK(placed.areas[1].extents[1].drive == "hdd");
  CHECK(placed.areas[1].extents[1].offset_bytes == 100000000 + (1 << 20));
}

TEST_CASE("nothing to place: nothing is done, foreign swap is found") {
  Guest guest;
  guest.agent.files["/proc/swaps"] = k_header;
  SwapPlacer placer(guest.agent, {});
  CHECK(placer.place(facts()).areas.empty());
  CHECK(guest.agent.commands.empty());
  guest.agent.files["/proc/swaps"] = std::string(k_header) + "/dev/zram0 partition 1000 0 100\n";
  CHECK_THROWS_AS(placer.place(facts()), SetupFailure);
}

TEST_CASE("swap is put back area by area, never with -a") {
  Guest guest;
  SwapPlacer placer(guest.agent, plan());
  CHECK(placer.reset().size() == 2);
  CHECK(guest.steps() == std::vector<std::string>{"swapoff /dev/vdb2", "swapoff /swapfile", "swapon /dev/vdb2",
                                                  "swapon -p 5 /swapfile"});
}

TEST_CASE("an area that does not come back is found") {
  Guest guest;
  guest.agent.files["/proc/swaps"] = std::string(k_header) + "/dev/vdb2 partition 614396 0 -2\n";
  SwapPlacer placer(guest.agent, plan());
  try {
    placer.reset();
    FAIL("not noticed");
  } catch (const SetupFailure& failure) {
    CHECK(failure.reason() == "set-up not as planned");
    CHECK(std::string(failure.what()) == "swap is not as planned: /swapfile is not on");
  }
}

TEST_CASE("switching off is timed in the guest") {
  Guest guest;
  SwapPlacer placer(guest.agent, plan());
  CHECK(placer.switch_off() == Approx(1.0));
}

TEST_CASE("words that mean unsupported, and others") {
  Guest guest;
  guest.failing = "swapon";
  SwapPlacer placer(guest.agent, {plan()[1]});
  guest.words = "swapon: /swapfile: skipping - it appears to have holes.\n";
  CHECK_THROWS_AS(placer.place(facts()), Unsupported);
  guest.words = "swapon: /swapfile: it appears to have holes. Or not\n";
  CHECK_THROWS_AS(placer.place(facts()), SetupFailure);
  guest.words = "swapon: \x1b[31mno memory";
  try {
    placer.place(facts());
    FAIL("not noticed");
  } catch (const SetupFailure& failure) {
    CHECK(failure.reason() == "set-up failed");
    const std::string text = failure.what();
    CHECK(text.starts_with("switch the swap area on /swapfile: swapon -p 5 /swapfile ended with 1: swapon: "));
    CHECK(text.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("what /proc/swaps has to show, as lines") {
  Guest guest;
  const auto lines = SwapPlacer(guest.agent, plan()).expected_lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] == SwapLine{"/swapfile", "file", 65532, 0, 5});
}
