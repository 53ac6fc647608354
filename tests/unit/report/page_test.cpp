#include "report/page.hpp"

#include "support/catch.hpp"
#include "support/fake_gnuplot.hpp"
#include "support/golden.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

std::string html_of(const Subject& subject, bool gnuplot_installed = true) {
  FakeGnuplot gnuplot;
  gnuplot.installed = gnuplot_installed;
  const auto findings = find(subject);
  return html_page(subject, findings, draw(charts_of(subject, findings), gnuplot));
}

std::string markdown_of(const Subject& subject) {
  FakeGnuplot gnuplot;
  const auto findings = find(subject);
  return markdown_page(subject, findings, draw(charts_of(subject, findings), gnuplot));
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Subject with_hostile_texts() {
  auto subject = sample_subject(2);
  const std::string name = "a, \"b\"\n<script>alert(1)</script> | `c` \xe2\x80\xae\x1b[31m";
  for (auto& run : subject.runs) {
    if (run.arm == "second drive") run.arm = run.scenario = name;
  }
  subject.experiment.scenarios[5].name = name;
  subject.experiment.title = "<script>alert(2)</script>";
  subject.experiment.text = "title = \"</pre><script>alert(3)</script>\"\n```\n# not a heading\n";
  subject.host_facts = {{"CPU", "<img src=x onerror=alert(4)>"}};
  auto& run = subject.runs[7];
  run.reasons = {{"new I/O errors", "<script>alert(5)</script>"}};
  run.evidence.workload.output_tail = "</pre><script>alert(6)</script>\x1b]0;evil\x07\xff";
  run.evidence.guest_settings["zswap"] = "<script>alert(7)</script>";
  return subject;
}

}  // namespace

TEST_CASE("the page and the Markdown report of the sample") {
  const auto subject = sample_subject();
  check_golden("report-index.html", html_of(subject));
  check_golden("report-report.md", markdown_of(subject));
}

TEST_CASE("the Markdown report of simulated drives, one with a scale of time") {
  check_golden("report-simulated.md", markdown_of(sample_simulated_subject(2, 2)));
}

TEST_CASE("why, within a run and the order of the runs on the page") {
  auto subject = sample_simulated_subject();
  SECTION("simulated drives") {
    const auto html = html_of(subject);
    for (const char* id : {"h-why", "h-course", "h-order"}) CHECK(holds(html, std::string("id=\"") + id));
    CHECK(holds(html, "“end of the HDD” kept the arm busy 56.0"));
    CHECK(holds(html, "<td class=\"num\">60.0 % <b class=\"mark\">floor-limited</b></td>"));
    CHECK(holds(html, "<td class=\"num\">7.50 in 300 moves</td>"));
    CHECK_FALSE(holds(html, "times a factor"));
  }
  SECTION("no samples") {
    for (auto& run : subject.runs) run.evidence.samples.clear();
    CHECK(holds(html_of(subject), "no samples were taken"));
    CHECK(holds(markdown_of(subject), "no samples were taken"));
  }
  SECTION("names of drives are as hostile as others") {
    const std::string name = "<script>alert(8)</script>|\x1b[31m";
    subject.experiment.drives[0].name = name;
    for (auto& scenario : subject.experiment.scenarios) {
      for (auto& area : scenario.swap) {
        if (area.where.drive == "hdd") area.where.drive = name;
      }
    }
    for (auto& run : subject.runs) {
      run.evidence.guest_drives[0].drive = name;
      run.evidence.host_before.drives[0].drive = run.evidence.host_after.drives[0].drive = name;
    }
    const auto html = html_of(subject);
    CHECK_FALSE(holds(html, "<script"));
    CHECK_FALSE(holds(html, "\x1b"));
    CHECK(holds(html, "<td><bdi>&lt;script&gt;alert(8)"));
    CHECK(holds(markdown_of(subject), "&lt;/script&gt;\\|"));
  }
}

TEST_CASE("the page is one file that asks for nothing") {
  const auto html = html_of(sample_subject());
  for (const char* part :
       {"<script", "onload", "javascript:", "src=\"http", "href=\"http", "url(http", "@import", "<iframe"}) {
    INFO(part);
    CHECK_FALSE(holds(html, part));
  }
  CHECK(holds(html, "prefers-color-scheme:dark"));
  CHECK(holds(html, "@media print"));
  CHECK(holds(html, "role=\"img\""));
  CHECK(holds(html, "<th scope=\"row\"><bdi>start of the HDD</bdi></th>"));
}

TEST_CASE("case 26: nothing from a user or a guest becomes markup") {
  const auto subject = with_hostile_texts();
  const auto html = html_of(subject);
  CHECK_FALSE(holds(html, "<script"));
  CHECK_FALSE(holds(html, "<img"));
  CHECK_FALSE(holds(html, "\x1b"));
  CHECK_FALSE(holds(html, "\xe2\x80\xae"));
  CHECK(holds(html, "&lt;script&gt;alert(3)&lt;/script&gt;"));

  const auto markdown = markdown_of(subject);
  CHECK_FALSE(holds(markdown, "\x1b"));
  CHECK_FALSE(holds(markdown, "\xe2\x80\xae"));
  CHECK(holds(markdown, "# &lt;script&gt;alert(2)&lt;/script&gt;\n"));
  CHECK(holds(markdown, "````toml\ntitle"));
  CHECK(holds(markdown, "&lt;/script&gt; \\| \\`c\\`"));
}

TEST_CASE("case 22 and 28: blank scenarios and empty comparisons still make a page") {
  auto subject = sample_subject(2);
  SECTION("one scenario failed") {
    for (auto& run : subject.runs) {
      if (run.arm == "second drive") fail(run, run::State::failed, "out of memory", "oom_kill rose");
    }
    const auto html = html_of(subject);
    CHECK(holds(html,
                "<span class=\"time blank\">no time</span> <bdi>second drive</bdi> <span class=\"why\">(failed: out of "
                "memory)"));
    CHECK(holds(html, "<td class=\"num\">0 / 2</td>"));
  }
  SECTION("all failed") {
    for (auto& run : subject.runs) fail(run, run::State::failed, "panic", "the guest panicked");
    const auto html = html_of(subject);
    CHECK(holds(html, "Nothing was measured: none of 13 runs counts (failed: panic)."));
    CHECK_FALSE(holds(html, "h-differences"));
    CHECK(holds(markdown_of(subject), "Nothing was measured"));
  }
  SECTION("no run at all") {
    subject.runs.clear();
    CHECK(holds(html_of(subject), "Nothing was measured yet"));
  }
}

TEST_CASE("case 23: without gnuplot the page says so and has every number") {
  const auto html = html_of(sample_subject(), false);
  CHECK_FALSE(holds(html, "<svg"));
  CHECK(holds(html, "The chart is missing: gnuplot is not installed."));
  CHECK(holds(html, "113.1 s (1:53)"));
}
