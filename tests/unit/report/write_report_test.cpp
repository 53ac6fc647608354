#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "report/report.hpp"
#include "support/catch.hpp"
#include "support/fake_gnuplot.hpp"
#include "support/sample_subject.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
  }
  return files;
}

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& [name, text] : contents(folder)) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("a report is a folder of files, and writing it twice changes nothing") {
  TemporaryFolder temporary;
  const auto folder = temporary.path() / "reports" / "placement";
  FakeGnuplot gnuplot;
  CHECK(write_report(sample_subject(2), folder, gnuplot).empty());
  CHECK(names(folder) == std::set<std::string>{".swaprig-report", "charts/course.png", "charts/course.svg",
                                               "charts/differences.png", "charts/differences.svg",
                                               "charts/drive-hdd.png", "charts/drive-hdd.svg", "charts/drive-nvme.png",
                                               "charts/drive-nvme.svg", "charts/order.png", "charts/order.svg",
                                               "charts/times.png", "charts/times.svg", "index.html", "report.json",
                                               "report.md", "runs.csv"});
  const auto first = contents(folder);
  CHECK(write_report(sample_subject(2), folder, gnuplot).empty());
  CHECK(contents(folder) == first);
}

TEST_CASE("a folder that holds something else is refused and left as it is") {
  TemporaryFolder temporary;
  std::ofstream(temporary.path() / "thesis.txt") << "years of work";
  FakeGnuplot gnuplot;
  CHECK_THROWS_AS(write_report(sample_subject(2), temporary.path(), gnuplot), UsageError);
  CHECK(names(temporary.path()) == std::set<std::string>{"thesis.txt"});
  CHECK_THROWS_AS(write_report(sample_subject(2), temporary.path() / "thesis.txt", gnuplot), UsageError);
  CHECK(gnuplot.commands.empty());
}

TEST_CASE("case 23: gnuplot missing or failing is said, everything else is written") {
  TemporaryFolder temporary;
  FakeGnuplot gnuplot;
  CHECK(write_report(sample_subject(2), temporary.path(), gnuplot).empty());

  SECTION("missing: charts of an earlier report do not stay") {
    gnuplot.installed = false;
    const auto said = write_report(sample_subject(2), temporary.path(), gnuplot);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("gnuplot-nox") != std::string::npos);
    CHECK(names(temporary.path()) ==
          std::set<std::string>{".swaprig-report", "index.html", "report.json", "report.md", "runs.csv"});
  }
  SECTION("failing for one chart") {
    gnuplot.fails = [](const Command& command) { return command.input.find("set logscale x") != std::string::npos; };
    const auto said = write_report(sample_subject(2), temporary.path(), gnuplot);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("chart differences") != std::string::npos);
    CHECK(names(temporary.path()).count("charts/times.svg") == 1);
    CHECK(names(temporary.path()).count("charts/differences.svg") == 0);
    CHECK(names(temporary.path()).count("index.html") == 1);
  }
}
