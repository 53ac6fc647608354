#include "report/chart.hpp"

#include "report/drive_view.hpp"
#include "report/plot.hpp"
#include "support/catch.hpp"
#include "support/fake_gnuplot.hpp"
#include "support/golden.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

TEST_CASE("the scripts of the sample's charts") {
  const auto subject = sample_subject();
  const auto charts = charts_of(subject, find(subject));
  REQUIRE(charts.size() == 6);
  for (const auto& chart : charts) check_golden("report-" + chart.name + ".gnuplot", chart.script);
  CHECK(charts[0].description.find("start of the HDD: 113.1 s (1:53).") != std::string::npos);
  CHECK(charts[1].description.find("end of the HDD: +55.7 %") != std::string::npos);
  CHECK(charts[2].description.find("swap file by dd: /swapfile in 2 extents.") != std::string::npos);
}

TEST_CASE("the time of simulated drives as bars") {
  const auto subject = sample_simulated_subject();
  const auto chart = drive_time_chart(find(subject)).value();
  check_golden("report-drive-time.gnuplot", chart.script);
  CHECK(chart.description.find("end of the HDD: busy 56.0 of 176 s, seek 18.0, rotation 22.0, transfer 16.0.") !=
        std::string::npos);
  CHECK_FALSE(drive_time_chart(find(sample_subject(2))));
}

TEST_CASE("charts over time and order, with nothing, little and much") {
  auto subject = sample_simulated_subject();
  const auto draws = [](const Chart& chart) {
    SystemCommandRunner commands;
    const auto result = commands.run(gnuplot_command(chart, Picture::svg));
    INFO(chart.name << ": " << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
  };
  SECTION("no sample in any run") {
    for (auto& run : subject.runs) run.evidence.samples.clear();
    CHECK_FALSE(course_chart(find(subject)));
  }
  SECTION("one scenario without samples") {
    for (auto& run : subject.runs) {
      if (run.arm == "RAM only") run.evidence.samples.clear();
    }
    const auto chart = course_chart(find(subject)).value();
    CHECK(chart.script.find("'0 samples: too few to draw'") != std::string::npos);
    draws(chart);
  }
  SECTION("samples without any traffic") {
    for (auto& run : subject.runs) {
      for (auto& sample : run.evidence.samples) sample = {sample.at_ms, 0, 0, 0, 0, 0, 0, 0, 0};
    }
    draws(course_chart(find(subject)).value());
  }
  SECTION("no run finished, and no run at all") {
    for (auto& run : subject.runs) {
      fail(run, run::State::failed, "panic", "");
      run.evidence.workload.finished = false;
    }
    draws(order_chart(subject, find(subject)).value());
    subject.runs.clear();
    CHECK_FALSE(order_chart(subject, find(subject)));
  }
  SECTION("equal times, and a run of no time") {
    for (auto& run : subject.runs) run.evidence.workload.wall_ns = 5'000'000'000;
    subject.runs.front().evidence.workload.wall_ns = 0;
    draws(order_chart(subject, find(subject)).value());
  }
  SECTION("a drive that did nothing") {
    for (auto& run : subject.runs) {
      for (auto& drive : run.evidence.host_after.drives) {
        drive.simulated->busy_ns = drive.simulated->seek_ns = 0;
        drive.simulated->rotation_ns = drive.simulated->transfer_ns = 0;
      }
      for (auto& drive : run.evidence.host_before.drives) drive.simulated = drive::SimulatedCounters{};
    }
    draws(drive_time_chart(find(subject)).value());
  }
}

TEST_CASE("round steps") {
  CHECK(round_step(10, 5) == Approx(2));
  CHECK(round_step(10, 3) == Approx(5));
  CHECK(round_step(0.3, 3) == Approx(0.1));
  CHECK(round_step(95, 6) == Approx(20));
  CHECK(round_step(0, 6) == 1);
}

TEST_CASE("gnuplot gets a script on stdin and nobody's settings") {
  Chart chart;
  chart.width = 860;
  chart.height = 300;
  chart.script = "plot 1\n";
  const auto svg = gnuplot_command(chart, Picture::svg);
  CHECK(svg.program == "gnuplot");
  CHECK(svg.arguments == std::vector<std::string>{"--default-settings", "-"});
  CHECK(svg.input.starts_with("set terminal svg size 860,300 "));
  CHECK(svg.input.ends_with("set encoding utf8\nplot 1\n"));
  CHECK(gnuplot_command(chart, Picture::png).input.starts_with("set terminal pngcairo size 1720,600 "));
}

TEST_CASE("a text in a script is a text and nothing else") {
  CHECK(gnuplot_string("it's", 20) == "'it''s'");
  CHECK(gnuplot_string("`reboot` $(x) @y", 20) == "'`reboot` $(x) @y'");
  CHECK(gnuplot_string("a\nplot 2", 40).find('\n') == std::string::npos);
  CHECK(gnuplot_string("a long name of a scenario", 10) == "'a long na…'");
}

TEST_CASE("real gnuplot draws every chart of the sample, whatever the names hold") {
  auto subject = sample_simulated_subject();
  const std::string name = "it's <b>`date`</b> \"50 %\" \\n {/Bold x} äöü";
  subject.experiment.scenarios[2].name = name;
  for (auto& run : subject.runs) {
    if (run.arm == "swap file by dd") run.arm = run.scenario = name;
  }
  SystemCommandRunner commands;
  REQUIRE(commands.find("gnuplot"));
  for (const auto& drawn : draw(charts_of(subject, find(subject)), commands)) {
    INFO(drawn.chart.name << ": " << drawn.fault);
    CHECK(drawn.fault.empty());
    CHECK(drawn.inline_svg.starts_with("<svg"));
    CHECK(drawn.inline_svg.find("rgb(") == std::string::npos);
    CHECK(drawn.inline_svg.find("<b>") == std::string::npos);
    CHECK(drawn.png.starts_with("\x89PNG"));
    if (drawn.chart.name == "times")
      CHECK(drawn.inline_svg.find("it's &lt;b&gt;`date`&lt;/b&gt; \"50") != std::string::npos);
  }
}

TEST_CASE("charts without a single time, and of equal times, can be drawn") {
  auto subject = sample_subject(2);
  const auto draws = [](const Chart& chart) {
    SystemCommandRunner commands;
    const auto result = commands.run(gnuplot_command(chart, Picture::svg));
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
  };
  SECTION("nothing valid") {
    for (auto& run : subject.runs) fail(run, run::State::failed, "panic", "the guest panicked");
    draws(score_chart(find(subject)));
    CHECK_FALSE(difference_chart(find(subject)));
  }
  SECTION("all the same") {
    for (auto& run : subject.runs) run.evidence.workload.wall_ns = 5'000'000'000;
    draws(score_chart(find(subject)));
    draws(difference_chart(find(subject)).value());
  }
  SECTION("two runs that reach to the moon") {
    for (auto& run : subject.runs) {
      if (run.block == 2) run.evidence.workload.wall_ns *= 1 + run.position;
    }
    draws(difference_chart(find(subject)).value());
  }
  SECTION("no run placed anything") {
    for (auto& run : subject.runs) {
      run.evidence.areas.clear();
      run.evidence.root_data.clear();
    }
    draws(drive_charts(subject, find(subject)).front());
  }
}

TEST_CASE("case 23: gnuplot missing, or failing for one chart") {
  const auto subject = sample_subject(2);
  const auto charts = charts_of(subject, find(subject));
  FakeGnuplot gnuplot;
  SECTION("missing") {
    gnuplot.installed = false;
    const auto drawn = draw(charts, gnuplot);
    REQUIRE(drawn.size() == charts.size());
    CHECK(drawn.front().fault == "gnuplot is not installed");
    CHECK(drawn.front().inline_svg.empty());
    CHECK(gnuplot.commands.empty());
  }
  SECTION("failing once") {
    gnuplot.fails = [](const Command& command) { return command.input.find("set logscale") != std::string::npos; };
    const auto drawn = draw(charts, gnuplot);
    CHECK(drawn[0].fault.empty());
    CHECK(drawn[1].fault == "chart differences (SVG) could not be drawn: line 3: undefined variable: oops");
    CHECK(drawn[1].inline_svg.empty());
    CHECK(drawn[2].fault.empty());
  }
  SECTION("only the PNG") {
    gnuplot.fails = [](const Command& command) { return command.input.find("pngcairo") != std::string::npos; };
    const auto drawn = draw(charts, gnuplot);
    CHECK_FALSE(drawn[0].inline_svg.empty());
    CHECK(drawn[0].png.empty());
    CHECK(drawn[0].fault.find("(PNG)") != std::string::npos);
  }
}

TEST_CASE("where a share of the bytes lies") {
  const std::vector<guest::DiskRange> ranges{{"hdd", 1000, 100}, {"hdd", 0, 100}};
  CHECK(position_of_share(ranges, 0.25) == 50);
  CHECK(position_of_share(ranges, 0.5) == 100);
  CHECK(position_of_share(ranges, 0.75) == 1050);
  CHECK(position_of_share(ranges, 1) == 1100);
}

TEST_CASE("a drive's view takes the extents from the last valid run") {
  const auto subject = sample_subject();
  const auto views = drive_views(subject, find(subject));
  REQUIRE(views.size() == 2);
  CHECK(views[0].swaps.size() == 4);
  CHECK(views[0].root_data.size() == 3);
  CHECK(views[1].swaps.size() == 1);
  CHECK(views[1].swaps[0].arm == "second drive");
  CHECK(views[1].root_data.empty());
}
