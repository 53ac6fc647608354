#include "guest/swap_table.hpp"

#include "guest/guest_agent.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::guest;

namespace {

constexpr const char* k_header = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

std::vector<spec::ExpectedSwap> two_areas() {
  return {{"/dev/vda2", "partition", mib(600) - kib(4), std::nullopt}, {"/swap file", "file", mib(64) - kib(4), 5}};
}

std::vector<SwapLine> two_lines() {
  return {{"/dev/vda2", "partition", 614396, 12, -2}, {"/swap file", "file", 65532, 0, 5}};
}

}  // namespace

TEST_CASE("/proc/swaps is read, escapes undone") {
  CHECK(parse_swaps("").empty());
  CHECK(parse_swaps(k_header).empty());
  const auto lines = parse_swaps(std::string(k_header) +
                                 "/dev/vda2                               partition\t614396\t\t12\t\t-2\n"
                                 "/swap\\040file                           file\t\t65532\t\t0\t\t5\n"
                                 "/a\\134b\\011c\\777\\04                    file\t\t4\t\t0\t\t0\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == two_lines()[0]);
  CHECK(lines[1] == two_lines()[1]);
  CHECK(lines[2].path == "/a\\b\tc\\777\\04");
}

TEST_CASE("a broken /proc/swaps is an agent error") {
  for (const char* line : {"/dev/vda2 partition 1 2", "/dev/vda2 partition x 0 -2", "/dev/vda2 partition -1 0 -2",
                           "/dev/vda2 partition 1 0 99999999", "/dev/vda2 partition 99999999999999999999 0 0"}) {
    INFO(line);
    CHECK_THROWS_AS(parse_swaps(std::string(k_header) + line + "\n"), AgentError);
  }
  CHECK_THROWS_AS(parse_swaps("/dev/vda2 partition 1 0 -2\n"), AgentError);
  std::string many = k_header;
  for (int i = 0; i < 100; ++i) many += "/dev/vda2 partition 1 0 -2\n";
  CHECK_THROWS_AS(parse_swaps(many), AgentError);
}

TEST_CASE("the line that an area has to show") {
  CHECK(expected_line(two_areas()[0]) == SwapLine{"/dev/vda2", "partition", 614396, 0, -1});
  CHECK(expected_line(two_areas()[1]) == SwapLine{"/swap file", "file", 65532, 0, 5});
}

TEST_CASE("swap as planned shows no difference") {
  CHECK(swap_difference({}, {}).empty());
  CHECK(swap_difference(two_areas(), two_lines()).empty());
  auto one_page_less = two_lines();
  one_page_less[0].size_kib -= 4;
  CHECK(swap_difference(two_areas(), one_page_less).empty());
}

TEST_CASE("every way in which swap can differ from the plan is told") {
  auto lines = two_lines();
  std::string words;
  SECTION("missing") {
    lines.pop_back();
    words = "/swap file is not on";
  }
  SECTION("foreign") {
    lines.push_back({"/dev/zram0", "partition", 1000, 0, 100});
    words = "foreign swap is on: /dev/zram0 (partition, 1000 KiB, priority 100)";
  }
  SECTION("kind") {
    lines[1].type = "partition";
    words = "/swap file is a partition, planned: file";
  }
  SECTION("size") {
    lines[0].size_kib -= 8;
    words = "/dev/vda2 has 614388 KiB, planned: 614396 KiB";
  }
  SECTION("priority") {
    lines[1].priority = 6;
    words = "/swap file has priority 6, planned: 5";
  }
  SECTION("a priority that nobody planned") {
    lines[0].priority = 0;
    words = "/dev/vda2 has priority 0, planned: the kernel's own";
  }
  CHECK(swap_difference(two_areas(), lines) == words);
}

TEST_CASE("the kernel's own priorities have to fall in the order of the areas") {
  const std::vector<spec::ExpectedSwap> areas = {{"/dev/vda2", "partition", kib(40), std::nullopt},
                                                 {"/dev/vda3", "partition", kib(40), std::nullopt}};
  CHECK(swap_difference(areas, {{"/dev/vda2", "partition", 40, 0, -2}, {"/dev/vda3", "partition", 40, 0, -3}}).empty());
  CHECK(swap_difference(areas, {{"/dev/vda3", "partition", 40, 0, -2}, {"/dev/vda2", "partition", 40, 0, -3}}) ==
        "/dev/vda3 is not behind the area before it");
}
