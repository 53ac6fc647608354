#include "report/creation_chart.hpp"

#include "report/plot.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

constexpr std::uint64_t k_gib = std::uint64_t{1} << 30U;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void draws(const Chart& chart) {
  SystemCommandRunner commands;
  const auto result = commands.run(gnuplot_command(chart, Picture::svg));
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
}

}  // namespace

TEST_CASE("time against size, a line for each method") {
  const auto chart = creation_chart("creation", "Making a swap file",
                                    {{"fallocate", {{32 * k_gib, 0.029}, {k_gib, 0.003}, {4 * k_gib, 0.006}}},
                                     {"dd, it's 16 KiB", {{4 * k_gib, 4.528}}}})
                         .value();
  CHECK(chart.name == "creation");
  CHECK(chart.title == "Making a swap file");
  CHECK(holds(chart.description, "fallocate: 1 GiB in 0.003 s, 4 GiB in 0.006 s, 32 GiB in 0.029 s."));
  CHECK(holds(chart.description, "16 KiB: 4 GiB in 4.53 s."));
  check_golden("report-creation.gnuplot", chart.script);
  draws(chart);
}

TEST_CASE("what has no place on logarithmic axes is said, not drawn") {
  const auto chart =
      creation_chart("creation", "", {{"a", {{k_gib, 0.0}, {2 * k_gib, 0.5}}}, {"b", {{0, 1.0}}}, {"c", {}}});
  REQUIRE(chart);
  CHECK(holds(chart->description, "a: 2 GiB in 0.500 s. 1 time of 0 s cannot be drawn on such an axis."));
  CHECK(holds(chart->description, "b: nothing to draw. 1 time"));
  CHECK(holds(chart->description, "c: nothing to draw."));
  draws(*chart);
  CHECK_FALSE(creation_chart("creation", "", {{"a", {{k_gib, 0.0}}}}));
  CHECK_FALSE(creation_chart("creation", "", {}));
}

TEST_CASE("one point, equal points and wide ranges are drawn") {
  draws(creation_chart("creation", "", {{"a", {{k_gib, 1.0}}}}).value());
  draws(creation_chart("creation", "", {{"a", {{k_gib, 1.0}, {k_gib, 1.0}}}}).value());
  std::vector<CreationSeries> many;
  for (int i = 0; i < 20; ++i)
    many.push_back({"method " + std::to_string(i), {{1, 1e-6}, {4097, 3.0}, {1ULL << 50U, 1e6}}});
  draws(creation_chart("creation", "", many).value());
}

TEST_CASE("tics of a logarithmic axis") {
  CHECK(logarithmic_tics(3, 60) == "('5' 5, '10' 10, '20' 20, '50' 50)");
  CHECK(logarithmic_tics(0.00001, 1) ==
        "('0.00001' 1e-05, '0.0001' 0.0001, '0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1)");
}
