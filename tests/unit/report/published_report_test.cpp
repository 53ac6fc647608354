#include "report/published_report.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "report/page.hpp"
#include "report/published_chart.hpp"
#include "support/catch.hpp"
#include "support/fake_gnuplot.hpp"
#include "support/sample_published.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;
using nlohmann::json;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// From the section's heading to the next one.
std::string section_of(const std::string& markdown, const std::string& heading) {
  const auto begin = markdown.find("## " + heading);
  REQUIRE(begin != std::string::npos);
  return markdown.substr(begin, markdown.find("\n## ", begin) - begin);
}

std::string markdown_of(const Subject& subject) {
  FakeGnuplot gnuplot;
  const auto findings = find(subject);
  return markdown_page(subject, findings, draw(charts_of(subject, findings), gnuplot));
}

std::string html_of(const Subject& subject, bool installed = true) {
  FakeGnuplot gnuplot;
  gnuplot.installed = installed;
  const auto findings = find(subject);
  return html_page(subject, findings, draw(charts_of(subject, findings), gnuplot));
}

void draws(const Chart& chart) {
  SystemCommandRunner commands;
  const auto result = commands.run(gnuplot_command(chart, Picture::svg));
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
}

std::vector<DrawnChart> drawn_chart(const spec::Published& study) {
  FakeGnuplot gnuplot;
  return draw({published_chart(study).value()}, gnuplot);
}

spec::Published hostile_study() {
  auto study = shipped_study("swap-on-hdd-2021");
  const std::string hostile = "<script>alert(1)</script> | `c` \xe2\x80\xae\x1b[31m";
  study.title = study.author = study.figure = study.date = hostile;
  study.conditions = study.notes = {hostile};
  for (auto& [key, text] : study.setup) text = hostile;
  study.scenarios[1].scenario = hostile;
  study.text = "</pre><script>alert(2)</script>\n```\n# no heading\n";
  return study;
}

}  // namespace

TEST_CASE("the section beside the study, as text") {
  const auto markdown = markdown_of(beside_the_study(sample_simulated_subject()));
  check_golden("report-beside.md", section_of(markdown, "Beside the published study"));
  const auto plain = markdown_of(sample_simulated_subject());
  CHECK_FALSE(holds(plain, "published study"));
}

TEST_CASE("the section beside the study, on the page") {
  const auto subject = beside_the_study(sample_simulated_subject());
  const auto html = html_of(subject);
  CHECK(holds(html, "<h2 id=\"h-published\">Beside the published study</h2>"));
  CHECK(holds(html, "<strong>Somebody else’s figures.</strong>"));
  CHECK(holds(html, "<bdi>Vidar Holen</bdi>, 2021-09-07"));
  CHECK(holds(html, "this experiment leaves it out"));
  CHECK(holds(html, "<th scope=\"col\">ours is called</th>"));
  CHECK(holds(html, "git clean -fdx"));
  CHECK_FALSE(holds(html, "<a href=\"http"));
  const auto without = html_of(subject, false);
  CHECK(holds(without, "<td class=\"num\">1.95</td>"));
  CHECK_FALSE(holds(html_of(sample_simulated_subject()), "h-published"));
}

TEST_CASE("without drive times and without blanks the section has no such columns") {
  auto subject = beside_the_study(sample_subject(2));
  auto& reference = *subject.experiment.reference;
  std::erase_if(reference.study.scenarios, [](const auto& time) { return time.scenario == "SATA SSD"; });
  const auto html = html_of(subject);
  CHECK_FALSE(holds(html, "why blank"));
  CHECK_FALSE(holds(html, "ours: drive time"));
  CHECK(holds(html, "There is no drive time"));
}

TEST_CASE("an experiment of swap files shows the study's own figures") {
  auto subject = sample_subject(2);
  subject.experiment.reference = spec::Reference{"swapfile-creation-2017", shipped_study("swapfile-creation-2017"), {}};
  const auto markdown = section_of(markdown_of(subject), "Beside the published study");
  CHECK(holds(markdown, "| dd, blocks of 16 KiB | 4 GiB | 4.528 | 0.048 | 4.072 | 949 |"));
  CHECK_FALSE(holds(markdown, "excess"));
  const auto document = json::parse(to_json(subject));
  CHECK(document["reference"]["scenarios"].empty());
  CHECK(document["reference"]["study"]["files"].size() == 7);
}

TEST_CASE("the chart of the bars in groups") {
  auto subject = beside_the_study(sample_simulated_subject());
  SECTION("as it is") {
    const auto chart = reference_chart(subject, find(subject)).value();
    CHECK(chart.name == "published");
    check_golden("report-published.gnuplot", chart.script);
    CHECK(
        holds(chart.description, " end of the HDD: published 1.95, ours, in seconds 1.70, ours, in drive time 1.40."));
    CHECK(holds(chart.description, "SATA SSD: published 0.39, ours, in seconds blank (this experiment leaves it out)"));
    draws(chart);
  }
  SECTION("faster than RAM only") {
    for (auto& run : subject.runs) {
      if (run.arm == "second drive") run.evidence.workload.wall_ns = 2'000'000'000;
    }
    const auto chart = reference_chart(subject, find(subject)).value();
    CHECK(holds(chart.description, "ours, in seconds −0.25"));
    draws(chart);
  }
  SECTION("without any run") {
    subject.runs.clear();
    draws(reference_chart(subject, find(subject)).value());
  }
  SECTION("no reference") {
    subject.experiment.reference.reset();
    CHECK_FALSE(reference_chart(subject, find(subject)));
  }
}

TEST_CASE("the reference in report.json") {
  const auto document = json::parse(to_json(beside_the_study(sample_simulated_subject())));
  const auto& reference = document.at("reference");
  CHECK(reference["study"]["author"] == "Vidar Holen");
  CHECK(reference["study"]["address"].is_null());
  CHECK(reference["study"]["baseline"] == "start of the HDD");
  CHECK(reference["setup"]["runs"] == "2 of each case, the best counts");
  const auto& rows = reference["scenarios"];
  REQUIRE(rows.size() == 6);
  CHECK(rows[2]["published_scenario"] == "SATA SSD");
  CHECK(rows[2]["scenario"].is_null());
  CHECK(rows[2]["excess"].is_null());
  CHECK(rows[2]["excess_blank_because"] == "this experiment leaves it out");
  CHECK(rows[5]["published_s"] == 3161.0);
  CHECK(rows[5]["drive_time_excess"] == Approx(1.4));
  CHECK(rows[5]["excess_blank_because"].is_null());
  CHECK(json::parse(to_json(sample_subject(2)))["reference"].is_null());
}

TEST_CASE("a study alone") {
  for (const char* name : {"swap-on-hdd-2021", "swapfile-creation-2017"}) {
    const auto study = shipped_study(name);
    const auto charts = drawn_chart(study);
    const auto markdown = published_markdown(study, "0.1.0", charts);
    check_golden(std::string("published-") + name + ".md", markdown);
    check_golden(std::string("published-") + name + ".gnuplot", charts.front().chart.script);
    draws(charts.front().chart);
    const auto html = published_html(study, "0.1.0", charts);
    CHECK(holds(html, "<strong>Somebody else’s figures.</strong>"));
    CHECK(holds(html, "not measured here"));
    CHECK_FALSE(holds(html, "<a href=\"http"));
    CHECK_FALSE(holds(html, "{{"));
    const auto document = json::parse(published_json(study, "0.1.0"));
    CHECK(document["schema"] == "swaprig.published");
    CHECK(document["measured_here"] == false);
    CHECK(document["study"]["toml"] == study.text);
  }
}

TEST_CASE("a study with an address links to it, with notes or without") {
  auto study = shipped_study("swap-on-hdd-2021");
  study.address = "https://example.org/?a=1&b=2";
  study.notes.clear();
  study.setup.clear();
  const auto html = published_html(study, "0.1.0", drawn_chart(study));
  CHECK(holds(html, "<a href=\"https://example.org/?a=1&amp;b=2\">"));
  CHECK_FALSE(holds(html, "set-up"));
  CHECK_FALSE(holds(html, "What to know"));
}

TEST_CASE("texts of a study are never markup") {
  const auto study = hostile_study();
  auto subject = sample_simulated_subject();
  subject.experiment.reference = spec::Reference{"x", study, beside_the_study(subject).experiment.reference->scenarios};
  for (const auto& page : {published_html(study, "0.1.0", drawn_chart(study)), html_of(subject),
                           published_markdown(study, "0.1.0", drawn_chart(study)), markdown_of(subject)}) {
    CHECK_FALSE(holds(page, "<script>alert(1)"));
    CHECK_FALSE(holds(page, "\x1b"));
    CHECK_FALSE(holds(page, "\xe2\x80\xae"));
  }
  CHECK_FALSE(holds(published_html(study, "0.1.0", drawn_chart(study)), "<script>"));
}

TEST_CASE("a study's report is written into a folder of its own") {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "study";
  const auto study = shipped_study("swapfile-creation-2017");
  FakeGnuplot gnuplot;
  CHECK(write_published_report(study, "0.1.0", folder, gnuplot).empty());
  for (const char* name : {"index.html", "report.md", "report.json", "charts/published.svg", "charts/published.png"}) {
    CHECK(std::filesystem::exists(folder / name));
  }
  SECTION("over an experiment's report: nothing of that stays") {
    const auto other = temporary.path() / "other";
    write_report(sample_subject(2), other, gnuplot);
    write_published_report(study, "0.1.0", other, gnuplot);
    CHECK_FALSE(std::filesystem::exists(other / "runs.csv"));
    CHECK_FALSE(std::filesystem::exists(other / "charts" / "times.svg"));
  }
  SECTION("never over somebody's files") {
    const auto other = temporary.path() / "mine";
    std::filesystem::create_directory(other);
    write_file_durably(other / "letter.txt", "dear");
    CHECK_THROWS_AS(write_published_report(study, "0.1.0", other, gnuplot), UsageError);
  }
  SECTION("without gnuplot the numbers stand") {
    gnuplot.installed = false;
    CHECK(write_published_report(study, "0.1.0", folder, gnuplot).size() == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "charts" / "published.svg"));
    CHECK(holds(read_file(folder / "index.html"), "The chart is missing: gnuplot is not installed"));
    CHECK(holds(read_file(folder / "index.html"), "4.528"));
  }
}
