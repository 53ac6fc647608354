#include "report/drive_curve_chart.hpp"

#include "support/catch.hpp"
#include "support/words.hpp"

using namespace swaprig::report;
using swaprig::testing::mentions;

TEST_CASE("a drive's curve: marks where it was read, a line for the profile") {
  const auto chart =
      drive_curve_chart("drive-curve", "Some drive", {{0, 115}, {50, 90.14}, {100, 55}}, {{0, 114}, {100, 56}});
  CHECK(chart.name == "drive-curve");
  CHECK(mentions(chart.description, "0 % 115.0, 50 % 90.1, 100 % 55.0."));
  CHECK(mentions(chart.script, "set yrange [0:124.2]"));
  CHECK(mentions(chart.script, "$layer1 << END\n0 114\n100 56\nEND\n"));
  CHECK(mentions(chart.script, "$layer2 << END\n0 115\n50 90.14\n100 55\nEND\n"));
  CHECK(mentions(chart.script, "the profile made from it"));
}

TEST_CASE("a curve without a profile is drawn alone") {
  const auto chart = drive_curve_chart("drive-curve", "Some drive", {{50, 90}}, {});
  CHECK_FALSE(mentions(chart.script, "the profile made from it"));
  CHECK(mentions(chart.script, "$layer1 << END\n50 90\nEND\n"));
}
