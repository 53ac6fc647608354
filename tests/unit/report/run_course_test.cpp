#include "report/run_course.hpp"

#include "support/catch.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

run::Evidence evidence_with(std::vector<run::Sample> samples) {
  run::Evidence evidence;
  evidence.guest_before.meminfo_kib = {{"MemTotal", 1000}};
  evidence.samples = std::move(samples);
  return evidence;
}

run::Sample sample(std::int64_t at_ms, std::int64_t in, std::int64_t out) {
  return {at_ms, 400, 12, in, out, 0, 0, 0, 0};
}

}  // namespace

TEST_CASE("rates are differences of what is summed from boot on") {
  // 256 pages of 4 KiB in 1 s: 1 MiB/s; 512 pages in 2 s: 1 MiB/s again; out 0, then 1024 pages in 2 s: 2 MiB/s.
  const auto points =
      course_of(evidence_with({sample(0, 100, 50), sample(1000, 356, 50), sample(3000, 868, 1074)}), 10);
  REQUIRE(points.size() == 3);
  CHECK(points[0].memory_used_bytes == Approx(600 * 1024));
  CHECK(points[0].swap_used_bytes == 12 * 1024);
  CHECK_FALSE(points[0].swap_in_bytes_per_s);
  CHECK(points[1].swap_in_bytes_per_s == Approx(1 << 20));
  CHECK(points[1].swap_out_bytes_per_s == Approx(0));
  CHECK(points[2].at_s == 3);
  CHECK(points[2].swap_in_bytes_per_s == Approx(1 << 20));
  CHECK(points[2].swap_out_bytes_per_s == Approx(2 << 20));

  const auto summary = summarise_course(points);
  CHECK(summary.samples == 3);
  CHECK(summary.mean_in_bytes_per_s == Approx(1 << 20));
  CHECK(summary.mean_out_bytes_per_s == Approx(4.0 / 3 * (1 << 20)));
  CHECK(summary.fastest_out_bytes_per_s == Approx(2 << 20));
}

TEST_CASE("samples that make no sense give no rate") {
  SECTION("time that stands still or goes back") {
    CHECK(course_of(evidence_with({sample(1000, 0, 0), sample(1000, 9, 9), sample(500, 9, 9)}), 10).size() == 1);
  }
  SECTION("a counter that goes back") {
    const auto points = course_of(evidence_with({sample(0, 100, 0), sample(1000, 50, 256)}), 10);
    CHECK_FALSE(points[1].swap_in_bytes_per_s);
    CHECK(points[1].swap_out_bytes_per_s == Approx(1 << 20));
  }
  SECTION("no total") {
    auto evidence = evidence_with({sample(0, 0, 0)});
    evidence.guest_before.meminfo_kib.clear();
    CHECK_FALSE(course_of(evidence, 10).front().memory_used_bytes);
  }
  SECTION("none at all") {
    CHECK(course_of(evidence_with({}), 10).empty());
    CHECK_FALSE(summarise_course({}).mean_in_bytes_per_s);
  }
}

TEST_CASE("many samples are thinned, and the mean rates stay") {
  std::vector<run::Sample> many;
  for (int i = 0; i <= 5000; ++i) many.push_back(sample(1000 * i, 256 * i, 0));
  const auto points = course_of(evidence_with(many), 300);
  REQUIRE(points.size() == 300);
  CHECK(points.front().at_s == 0);
  CHECK(points.back().at_s == 5000);
  CHECK(points[150].swap_in_bytes_per_s == Approx(1 << 20));
}

TEST_CASE("thirty scenarios: the baseline, the fastest, the slowest and five more are shown over time") {
  Findings findings;
  const run::RunRecord run;
  for (int i = 0; i < 30; ++i) {
    Arm arm;
    arm.name = "s" + std::to_string(i);
    arm.baseline = i == 20;
    arm.scored = i == 25 ? nullptr : &run;
    findings.arms.push_back(arm);
  }
  const auto choice = choose_courses(findings);
  std::vector<std::string> names;
  for (const auto* arm : choice.shown) names.push_back(arm->name);
  CHECK(names == std::vector<std::string>{"s0", "s1", "s2", "s3", "s4", "s5", "s20", "s29"});
  CHECK(choice.left_out.size() == 21);  // s25 has no valid run: it is in neither list
}

TEST_CASE("the order of the runs is that of their beginnings") {
  auto subject = sample_subject(3);
  auto& first = subject.runs.back();  // the second attempt, made at the end
  first.started += std::chrono::hours(1);
  subject.runs[0].state = run::State::planned;
  const auto order = run_order(subject);
  REQUIRE(order.size() == subject.runs.size() - 1);
  CHECK(order.front().place == 1);
  CHECK(order.front().run->arm == "start of the HDD");
  CHECK(order.back().run->attempt == 2);
  for (const auto& one : order) CHECK(one.seconds.has_value() == (one.run->state != run::State::failed));
}
