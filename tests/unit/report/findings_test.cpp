#include "report/findings.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/sample_subject.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

const Arm& arm(const Findings& findings, const std::string& name) {
  const auto found =
      std::find_if(findings.arms.begin(), findings.arms.end(), [&](const Arm& one) { return one.name == name; });
  REQUIRE(found != findings.arms.end());
  return *found;
}

bool has_banner(const Findings& findings, const std::string& code) {
  return std::any_of(findings.banners.begin(), findings.banners.end(),
                     [&](const Banner& one) { return one.code == code; });
}

run::RunRecord* run_of(Subject& subject, const std::string& name, int block) {
  const auto found = std::find_if(subject.runs.begin(), subject.runs.end(), [&](const auto& run) {
    return run.arm == name && run.block == block && run.state == run::State::valid;
  });
  REQUIRE(found != subject.runs.end());
  return &*found;
}

}  // namespace

TEST_CASE("arms are ranked by score, with planned and valid runs") {
  const auto subject = sample_subject();
  const auto findings = find(subject);
  std::vector<std::string> names;
  for (const auto& one : findings.arms) names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"RAM only", "second drive", "start of the HDD", "swap file by fallocate",
                                          "swap file by dd", "end of the HDD"});
  CHECK(findings.planned_runs == 30);
  CHECK(findings.final_runs == 30);
  CHECK(findings.valid_runs == 29);
  CHECK(arm(findings, "swap file by fallocate").times.size() == 4);
  CHECK(arm(findings, "swap file by fallocate").planned == 5);
  CHECK(arm(findings, "swap file by fallocate").dropped_pairs == 1);
  CHECK(arm(findings, "start of the HDD").swapped_in_bytes == (81920 + 3) * 4096);
  CHECK(arm(findings, "start of the HDD").swapped_out_bytes == 93440 * 4096);
  CHECK(arm(findings, "RAM only").swapped_in_bytes == 0);
}

TEST_CASE("unequal n: the score is the expected best of the smallest n") {
  const auto subject = sample_subject();
  const auto findings = find(subject);
  CHECK(findings.score_words == "expected best of 4");
  // n = 5, k = 4: the two best with weights C(4,3) / 5 and C(3,3) / 5: (4 * 113.0 + 113.4) / 5.
  CHECK(*arm(findings, "start of the HDD").score == Approx(113.08));
  CHECK(*arm(findings, "swap file by fallocate").score == Approx(113.9));

  const auto two = sample_subject(2);
  CHECK(find(two).score_words == "best");
}

TEST_CASE("an invalid run that was made again counts once, and stays shown") {
  const auto subject = sample_subject(2);
  const auto findings = find(subject);
  CHECK(arm(findings, "end of the HDD").times.size() == 2);
  REQUIRE(findings.not_counted.size() == 1);
  CHECK(findings.not_counted.front()->attempt == 1);
  CHECK(findings.not_counted.front()->reasons.front().code == "new I/O errors");
  CHECK_FALSE(has_banner(findings, "partial"));
  CHECK(has_banner(findings, "not-counted"));
}

TEST_CASE("positions on a file-backed drive get no verdict") {
  auto subject = sample_subject();
  const auto findings = find(subject);
  CHECK(arm(findings, "end of the HDD").position_only);
  CHECK_FALSE(arm(findings, "end of the HDD").comparison->p_holm);
  CHECK_FALSE(arm(findings, "second drive").position_only);
  CHECK_FALSE(arm(findings, "swap file by dd").position_only);
  CHECK(has_banner(findings, "position"));

  SECTION("a drive where position means something gives verdicts") {
    for (auto& drive : subject.experiment.drives) drive.backing = spec::SimulatedBacking{};
    const auto real = find(subject);
    CHECK_FALSE(arm(real, "end of the HDD").position_only);
    CHECK(arm(real, "end of the HDD").comparison->word == stats::Word::slower);
    CHECK_FALSE(has_banner(real, "position"));
  }
  SECTION("another size or another guest is more than position") {
    const auto& experiment = subject.experiment;
    auto end = experiment.scenario("end of the HDD");
    CHECK(differ_only_in_position(experiment.scenario("start of the HDD"), end));
    end.swap.front().size = gib(2);
    CHECK_FALSE(differ_only_in_position(experiment.scenario("start of the HDD"), end));
    end = experiment.scenario("end of the HDD");
    end.guest.memory = mib(300);
    CHECK_FALSE(differ_only_in_position(experiment.scenario("start of the HDD"), end));
  }
}

TEST_CASE("case 22: a scenario whose runs all failed is blank with its reason, never 0 and never the fastest") {
  auto subject = sample_subject(2);
  for (auto& run : subject.runs) {
    if (run.arm == "second drive") {
      fail(run, run::State::failed, "out of memory", "oom_kill rose");
      run.evidence.workload.finished = false;
      run.evidence.workload.wall_ns = 0;
    }
  }
  const auto findings = find(subject);
  const auto& blank = findings.arms.back();
  CHECK(blank.name == "second drive");
  CHECK_FALSE(blank.score);
  CHECK_FALSE(blank.summary);
  CHECK_FALSE(blank.comparison);
  CHECK(blank.blank_because == "failed: out of memory");
  CHECK(findings.answer.find("second drive") == std::string::npos);
}

TEST_CASE("banners appear where they apply, and only there") {
  auto subject = sample_subject(2);
  CHECK(has_banner(find(subject), "emulated"));

  SECTION("KVM, no drive, nothing missing: none") {
    std::erase_if(subject.runs, [](const auto& run) { return run.state != run::State::valid; });
    for (auto& run : subject.runs) {
      run.evidence.acceleration = "kvm";
    }
    subject.experiment.drives.clear();
    for (auto& scenario : subject.experiment.scenarios) scenario.swap.clear();
    CHECK(find(subject).banners.empty());
  }
  SECTION("interrupted") {
    subject.ended.reset();
    subject.runs.resize(5);
    fail(subject.runs.back(), run::State::aborted, "interrupted", "swaprig was interrupted");
    const auto findings = find(subject);
    CHECK(findings.final_runs == 4);
    REQUIRE(has_banner(findings, "partial"));
    for (const auto& banner : findings.banners) {
      if (banner.code == "partial") CHECK(banner.text.starts_with("4 of 12 planned runs ended; 8 are missing."));
    }
  }
}

TEST_CASE("the A/A arm is the noise floor, not a question") {
  auto subject = sample_subject();
  subject.experiment.runs.aa = true;
  subject.planned_runs = 35;
  for (int block = 1; block <= 5; ++block) {
    auto twin = *run_of(subject, "start of the HDD", block);
    twin.arm += " (A/A)";
    twin.position = 7;
    twin.evidence.workload.wall_ns += block % 2 == 0 ? 200'000'000 : -200'000'000;
    subject.runs.push_back(twin);
  }
  const auto findings = find(subject);
  CHECK(arm(findings, "start of the HDD (A/A)").aa);
  CHECK(arm(findings, "start of the HDD (A/A)").comparison->pairs == 5);
  CHECK_FALSE(arm(findings, "start of the HDD (A/A)").comparison->p_holm);
  CHECK(has_banner(findings, "aa"));
  CHECK(arm(findings, "start of the HDD (A/A)").planned == 5);
}

TEST_CASE("runs are in the order of block, position and attempt, wherever they came from") {
  auto subject = sample_subject(2);
  std::reverse(subject.runs.begin(), subject.runs.end());
  const auto ordered = in_order(subject.runs);
  CHECK(ordered.front()->id == "20261130T192139-4f2a-b1p1a1");
  CHECK(ordered[7]->attempt == 1);
  CHECK(ordered[8]->attempt == 2);
}
