#include "report/making.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "report/making_charts.hpp"
#include "report/page.hpp"
#include "support/catch.hpp"
#include "support/fake_gnuplot.hpp"
#include "support/golden.hpp"
#include "support/sample_making.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

constexpr std::uint64_t k_gib = std::uint64_t{1} << 30U;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <typename Page>
std::string page_of(const Subject& subject, Page page) {
  FakeGnuplot gnuplot;
  const auto findings = find(subject);
  return page(subject, findings, draw(charts_of(subject, findings), gnuplot));
}

void draws(const Chart& chart) {
  SystemCommandRunner commands;
  const auto result = commands.run(gnuplot_command(chart, Picture::svg));
  INFO(chart.name << ": " << result.err);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
}

}  // namespace

TEST_CASE("one boot is one observation: the median of its timings") {
  const auto makings = find_makings(sample_making_subject());
  REQUIRE(makings.size() == 3);
  const auto& ext4 = makings[0];
  CHECK(ext4.file_system == "ext4");
  CHECK(ext4.runs == 2);
  CHECK(ext4.sizes == std::vector<std::uint64_t>{k_gib, 4 * k_gib, 16 * k_gib});
  REQUIRE(ext4.lines.size() == 8);
  std::vector<std::string> labels;
  for (const auto& line : ext4.lines) labels.push_back(line.label);
  CHECK(labels == std::vector<std::string>{"fallocate", "bare call fallocate(2)", "dd, 4 KiB blocks", "dd, 1 MiB blocks",
                                           "fallocate, fsync", "bare call fallocate(2), fsync",
                                           "dd, 4 KiB blocks, fsync", "dd, 1 MiB blocks, fsync"});
  const auto* dd = ext4.line("dd", 4096, false);
  REQUIRE(dd != nullptr);
  const auto* file = dd->of_size(4 * k_gib);
  REQUIRE(file != nullptr);
  CHECK(file->observations == std::vector<double>{5.0, 5.2});
  CHECK(*file->seconds == Approx(5.1));
  CHECK(file->fastest == Approx(4.5));
  CHECK(file->slowest == Approx(5.72));
  CHECK(file->timings == 6);
  CHECK(*file->user == Approx(0.51));
  CHECK(*file->sys == Approx(4.08));
  CHECK(*ext4.control_s == Approx(0.000918));
  CHECK(ext4.lines[1].control);
}

TEST_CASE("growth exponents, ratios and rates") {
  const auto ext4 = find_makings(sample_making_subject()).at(0);
  const auto& reserved = ext4.line("fallocate", 0, false)->growth;
  REQUIRE(reserved);
  CHECK(reserved->exponent == Approx(0.5));
  CHECK(reserved->observations == 6);
  CHECK(reserved->basis == stats::GrowthBasis::points);
  const auto& written = ext4.line("dd", 1 << 20, false)->growth;
  CHECK(written->exponent == Approx(1.0));
  CHECK(written->interval95->first > reserved->interval95->second);

  const auto ratios = ext4.ratios(false);
  REQUIRE(ratios.size() == 3);
  CHECK(ratios[0].block == 1 << 20);  // the faster of the two
  CHECK(ratios[0].ratio() == Approx(1.0 / 0.003));
  CHECK(ratios[2].ratio() == Approx(16.0 / 0.012));
  const auto rates = dd_rates(ext4, true);
  REQUIRE(rates.size() == 2);
  CHECK(rates[0].block == 4096);
  CHECK(rates[0].bytes_per_s == Approx(16.0 * static_cast<double>(k_gib) / (1.25 * 16 * 2 * 1.02)));
}

TEST_CASE("what is unsupported has a reason and no time, and dd does not stand in for it") {
  const auto makings = find_makings(sample_making_subject());
  const auto& xfs = makings[1];
  const auto* reserved = xfs.line("fallocate", 0, false);
  REQUIRE(reserved != nullptr);
  for (const auto& file : reserved->files) {
    CHECK_FALSE(file.seconds);
    CHECK(file.unsupported == "fallocate: fallocate failed: Operation not supported");
  }
  CHECK_FALSE(reserved->growth);
  CHECK(xfs.ratios(false).empty());
  CHECK(xfs.line("dd", 4096, false)->growth);
  CHECK_FALSE(xfs.has(true));
  const auto& btrfs = makings[2];
  CHECK(btrfs.lines.empty());
  CHECK(holds(btrfs.blank_because, "unsupported: no swap file can be made so on btrfs"));
}

TEST_CASE("a file that one boot could not make counts in none; one that a boot lacks keeps the others in their places") {
  auto subject = sample_making_subject();
  auto& first = subject.runs[0].evidence.creations;
  first[3].unsupported = "it has holes";  // dd of 1 GiB in blocks of 4 KiB
  REQUIRE(first[3].method == "dd");
  auto& second = subject.runs[3].evidence.creations;
  std::erase_if(second, [](const auto& one) { return one.method == "fallocate" && one.size_bytes == k_gib; });
  const auto ext4 = find_makings(subject).at(0);
  CHECK_FALSE(ext4.line("dd", 4096, false)->of_size(k_gib)->seconds);
  const auto* reserved = ext4.line("fallocate", 0, false);
  CHECK(reserved->of_size(k_gib)->observations.size() == 1);
  CHECK(reserved->growth->observations == 5);
}

TEST_CASE("three boots or more: the interval is over the boots") {
  auto subject = sample_making_subject();
  auto third = subject.runs[0];
  third.block = 3;
  subject.runs.push_back(third);
  const auto growth = find_makings(subject).at(0).line("fallocate", 0, false)->growth;
  CHECK(growth->basis == stats::GrowthBasis::boots);
  CHECK(growth->boots == 3);
}

TEST_CASE("the answer and the notes tell what each file system says") {
  const auto findings = find(sample_making_subject());
  CHECK(findings.answer ==
        "On “ext4”, a swap file of 16 GiB took 12.2 ms by fallocate and 16.3 s by dd (blocks of 1 MiB, its fastest), 1333 "
        "times as long; the time grows with the size to the power 0.50 (95 % 0.48 to 0.52) for fallocate and 1.00 (95 % "
        "0.98 to 1.02) for dd.");
  REQUIRE(findings.notes.size() == 4);
  CHECK(holds(findings.notes[0], "On “XFS”, a swap file of 16 GiB took 40.8 s by dd, 4 KiB blocks; the time grows"));
  CHECK(findings.notes[1] ==
        "On “XFS”, fallocate is unsupported: fallocate: fallocate failed: Operation not supported.");
  CHECK(holds(findings.notes[2], "On “XFS”, bare call fallocate(2) is unsupported"));
  CHECK(holds(findings.notes[3], "On “btrfs”, nothing was made: unsupported: no swap file"));
}

TEST_CASE("growth has a table of its own, so that the one of the times fits on a page") {
  const auto page = page_of(sample_making_subject(), html_page);
  CHECK(holds(page, "<th scope=\"col\" class=\"num\">16 GiB</th></tr>"));
  CHECK(holds(page, "<td>0.50 (95 % 0.48 to 0.52)</td><td>6 points</td></tr>"));
  CHECK(holds(page, "<span class=\"small range\">2.70\u00a0ms to 3.43\u00a0ms</span>"));
}

TEST_CASE("nothing made at all has no answer but the reason") {
  auto subject = sample_making_subject();
  for (auto& run : subject.runs) fail(run, run::State::failed, "file system full", "");
  const auto findings = find(subject);
  CHECK(holds(findings.answer, "Nothing was measured: none of 6 runs counts (failed: file system full)"));
  CHECK(making_charts(findings.makings).empty());
  CHECK(holds(page_of(subject, html_page), "Nothing was made: failed: file system full."));
  subject.runs.clear();
  CHECK(holds(page_of(subject, html_page), "Nothing was made: no run was made."));
}

TEST_CASE("charts of making swap files") {
  const auto charts = making_charts(find_makings(sample_making_subject()));
  REQUIRE(charts.size() == 4);
  CHECK(charts[0].name == "making-time-ext4");
  CHECK(charts[1].name.starts_with("making-time-xfs"));
  CHECK(charts[2].name == "making-rate");
  CHECK(charts[3].name == "making-ratio");
  CHECK(holds(charts[0].script, "dashtype 2"));
  CHECK_FALSE(holds(charts[1].script, "dashtype"));
  CHECK(holds(charts[2].description, "ext4: 4 KiB at"));
  CHECK(holds(charts[3].description, "ext4: 1 GiB: 333 times"));
  CHECK(holds(charts[3].description, "ext4, fsync: 1 GiB: 333 times"));
  check_golden("report-making-time.gnuplot", charts[0].script);
  for (const auto& chart : charts) draws(chart);
}

TEST_CASE("the page is about the making, and not about the whole workload") {
  const auto html = page_of(sample_making_subject(), html_page);
  CHECK(holds(html, "<h2 id=\"h-making\">Making a swap file</h2>"));
  CHECK_FALSE(holds(html, "id=\"h-times\""));
  CHECK_FALSE(holds(html, "id=\"h-differences\""));
  CHECK(holds(html, "<td class=\"num\">unsupported</td>"));
  CHECK(holds(html, "href=\"makings.csv\""));
  CHECK(holds(html, "took 0.918 ms (0.810 ms to 1.03 ms)") == false);  // below a millisecond it is told in µs
  CHECK(holds(html, "took 918 µs (810 µs to 1.03 ms)"));
  check_golden("report-making.md", page_of(sample_making_subject(), markdown_page));
  const auto plain = page_of(sample_subject(2), html_page);
  CHECK_FALSE(holds(plain, "h-making"));
  CHECK(holds(plain, "id=\"h-times\""));
}

TEST_CASE("what a guest sends as reason or name of a file system stays text") {
  auto subject = sample_making_subject();
  for (auto& run : subject.runs) {
    for (auto& creation : run.evidence.creations) {
      creation.file_system = "<b>\x1b[31m";
      creation.unsupported = "<script>alert(1)</script>\x1b]0;x\x07\n| `a`";
    }
  }
  const auto html = page_of(subject, html_page);
  CHECK_FALSE(holds(html, "<script>"));
  CHECK_FALSE(holds(html, "\x1b"));
  CHECK_FALSE(holds(page_of(subject, markdown_page), "<script>"));
  CHECK_NOTHROW(nlohmann::json::parse(to_json(subject)));
}

TEST_CASE("one row of CSV for each swap file of each run, with every timing") {
  const auto csv = to_makings_csv(sample_making_subject());
  const auto lines = split(csv, '\n');
  // 25 cells on ext4, 13 on each of the others, twice.
  CHECK(lines.size() == 1 + 2 * (25 + 13 + 13) + 1);
  CHECK(lines[0] ==
        "experiment,batch,run,block,position,attempt,scenario,state,method,file_system,size_bytes,block_bytes,durable,"
        "timings,real_s,real_s_median,user_s_median,sys_s_median,unsupported");
  CHECK(lines[4] ==
        "swapfile-creation,20261130T192139-4f2a,20261130T192139-4f2a-b1p1a1,1,1,1,ext4,valid,dd,ext4,1073741824,4096,0,3,"
        "1.375 1.25 1.125,1.25,0.125,1,");
  CHECK(holds(csv, ",XFS,valid,fallocate,xfs,1073741824,,0,0,,,,,fallocate: fallocate failed: Operation not supported"));
  CHECK(split(to_makings_csv(sample_subject(2)), '\n').size() == 2);
}

TEST_CASE("JSON has the makings, and only of an experiment about them") {
  const auto document = nlohmann::json::parse(to_json(sample_making_subject()));
  const auto& makings = document.at("makings");
  REQUIRE(makings.size() == 3);
  CHECK(makings[0]["scenario"] == "ext4");
  CHECK(makings[0]["lines"].size() == 8);
  CHECK(makings[0]["lines"][0]["growth"]["interval_over"] == "points");
  CHECK(makings[0]["lines"][0]["block_bytes"].is_null());
  CHECK(makings[0]["lines"][2]["files"][1]["real_s_of_boots"].size() == 2);
  CHECK(makings[1]["lines"][0]["growth"].is_null());
  CHECK(makings[1]["lines"][0]["files"][0]["real_s_median"].is_null());
  CHECK(makings[1]["lines"][0]["files"][0]["unsupported"].is_string());
  CHECK(makings[2]["file_system"].is_null());
  CHECK(makings[2]["blank_because"].is_string());
  CHECK_FALSE(nlohmann::json::parse(to_json(sample_subject(2))).contains("makings"));
}

TEST_CASE("the terminal shows the largest file of each file system") {
  const auto text = summary_table(sample_making_subject(), false);
  CHECK(holds(text, "16 GiB"));
  CHECK(holds(text, "12.2 ms"));
  CHECK(holds(text, "0.50 (95 % 0.48 to 0.52)"));
  CHECK(holds(text, "ext4, fsync"));
  CHECK_FALSE(holds(text, "  verdict"));
  CHECK(holds(text, "nothing was made"));
}

TEST_CASE("short times and exponents in words") {
  CHECK(short_time(12.345) == "12.3 s");
  CHECK(short_time(1) == "1.00 s");
  CHECK(short_time(0.0289) == "28.9 ms");
  CHECK(short_time(0.000412) == "412 µs");
  CHECK(short_time(0) == "0 µs");
  stats::Growth growth;
  growth.exponent = -0.004;
  CHECK(exponent_in_words(growth) == "0.00 (no interval)");
  growth.exponent = 0.5;
  growth.interval95 = {-0.25, 1.25};
  CHECK(exponent_in_words(growth) == "0.50 (95 % −0.25 to 1.25)");
}
