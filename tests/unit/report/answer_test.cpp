#include "report/answer.hpp"

#include "support/catch.hpp"
#include "support/sample_subject.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

/// The sample's experiment with the given scenarios and times, block by block; a time of 0 is a failed run.
Subject subject_with(const std::vector<std::pair<std::string, std::vector<double>>>& times) {
  Subject subject;
  subject.experiment = sample_experiment(static_cast<int>(times.front().second.size()));
  std::erase_if(subject.experiment.scenarios, [&](const auto& scenario) {
    return std::none_of(times.begin(), times.end(), [&](const auto& one) { return one.first == scenario.name; });
  });
  subject.batch = "b";
  subject.planned_runs = static_cast<int>(times.size() * times.front().second.size());
  int position = 0;
  for (const auto& [arm, seconds] : times) {
    ++position;
    for (std::size_t block = 0; block < seconds.size(); ++block) {
      auto run =
          sample_run(subject.experiment, arm, static_cast<int>(block) + 1, position, std::max(seconds[block], 1.0));
      if (seconds[block] == 0) fail(run, run::State::failed, "out of memory", "");
      subject.runs.push_back(run);
    }
  }
  return subject;
}

std::string answer_to(const std::vector<std::pair<std::string, std::vector<double>>>& times) {
  const auto subject = subject_with(times);
  return find(subject).answer;
}

}  // namespace

TEST_CASE("one clear fastest placement") {
  CHECK(find(sample_subject()).answer ==
        "“second drive” is the fastest placement: 30 % less time than “start of the HDD” (95 % interval −36 % to −23 "
        "%, 5 "
        "pairs of runs).");
}

TEST_CASE("the fastest is not shown to beat the next one") {
  // d = -0.69315 -0.66386 -0.69315 -0.66446: mean -0.67865, s_d 0.01674; reach 3.18245 * 0.01674 / 2 = 0.02663.
  CHECK(answer_to({{"start of the HDD", {100, 101, 102, 103}},
                   {"second drive", {50, 52, 51, 53}},
                   {"swap file by dd", {51, 52, 52, 52}}}) ==
        "“second drive” takes 49.3 % less time than “start of the HDD” (95 % interval −50.6 % to −47.9 %, 4 pairs of "
        "runs), "
        "but is not shown to be faster than “swap file by dd”.");
}

TEST_CASE("the baseline is the fastest") {
  const auto answer =
      answer_to({{"start of the HDD", {100, 101, 102, 103}}, {"swap file by dd", {151, 152, 152, 157}}});
  CHECK(answer.starts_with("“start of the HDD” is the fastest placement: the next, “swap file by dd”, takes "));
}

TEST_CASE("two runs are an indication only") {
  CHECK(answer_to({{"start of the HDD", {100, 104}}, {"second drive", {50, 53}}}) ==
        "Indication only, from 2 pairs of runs: “second drive” was the fastest placement, best 50 s against 100 s "
        "(1:40) for "
        "“start of the HDD” (paired difference of “second drive”: −50 %); a verdict needs at least 4 runs of each.");
}

TEST_CASE("case 20: one run has no spread") {
  CHECK(answer_to({{"start of the HDD", {100}}, {"second drive", {50}}}).starts_with("One run each, no spread: "));
}

TEST_CASE("case 28: no relevant change, and no difference shown") {
  CHECK(answer_to({{"start of the HDD", {100, 101, 102, 103}}, {"swap file by dd", {100.1, 100.9, 102.2, 102.9}}}) ==
        "Measured, no relevant change: every scenario lies within ±2 % of “start of the HDD” (90 % intervals).");
  const auto answer = answer_to({{"start of the HDD", {100, 110, 95, 103}}, {"swap file by dd", {108, 97, 104, 99}}});
  CHECK(answer.starts_with("No difference shown: "));
  CHECK(answer.find("would settle it") != std::string::npos);
}

TEST_CASE("nothing valid") {
  CHECK(answer_to({{"start of the HDD", {0, 0}}, {"second drive", {0, 0}}}) ==
        "Nothing was measured: none of 4 runs counts (failed: out of memory).");
  auto subject = subject_with({{"start of the HDD", {100, 100}}});
  subject.runs.clear();
  CHECK(find(subject).answer == "Nothing was measured yet: no run has ended.");
}

TEST_CASE("a baseline without a valid run") {
  CHECK(
      answer_to({{"start of the HDD", {0, 0}}, {"second drive", {50, 53}}}) ==
      "No comparison is possible, since the baseline “start of the HDD” has no valid run (failed: out of memory); the "
      "lowest time is 50 s for “second drive”.");
}

TEST_CASE("only one scenario") {
  CHECK(answer_to({{"start of the HDD", {100, 104}}}) ==
        "“start of the HDD” took 100 s (1:40) (best of 2 runs); there is nothing to compare it with.");
}

TEST_CASE("only positions on a file") {
  CHECK(answer_to({{"start of the HDD", {100, 101, 102, 103}}, {"end of the HDD", {150, 151, 152, 153}}}) ==
        "No verdict: the scenarios differ only in where swap lies on a file, and position on a file means nothing.");
}

TEST_CASE("no verdict between positions by the back door of the fastest") {
  auto subject = subject_with({{"RAM only", {20, 20.2, 20.1, 20}},
                               {"start of the HDD", {50, 52, 51, 53}},
                               {"end of the HDD", {90, 92, 91, 93}},
                               {"second drive", {100, 101, 102, 103}}});
  subject.experiment.baseline = "RAM only";
  const auto findings = find(subject);
  CHECK(findings.answer.starts_with(
      "“start of the HDD” (or “end of the HDD”: position means nothing here) is the fastest "
      "placement: "));
  REQUIRE(findings.notes.size() == 1);
  CHECK(findings.notes.front().ends_with("no verdict between them."));
}

TEST_CASE("pairs without a partner") {
  const auto answer = answer_to({{"start of the HDD", {100, 0}}, {"second drive", {0, 50}}});
  CHECK(answer == "No difference shown: “second drive” and “start of the HDD” have no block in which both are valid.");
}

TEST_CASE("RAM only is a reference, not an answer to where swap goes") {
  const auto answer = answer_to({{"RAM only", {20, 20.2, 20.1, 20}},
                                 {"start of the HDD", {100, 101, 102, 103}},
                                 {"second drive", {50, 52, 51, 53}}});
  CHECK(answer.starts_with("“second drive” is the fastest placement"));

  SECTION("and as the baseline it is what the placements cost") {
    auto subject = subject_with({{"RAM only", {20, 20.2, 20.1, 20}},
                                 {"start of the HDD", {100, 101, 102, 103}},
                                 {"second drive", {50, 52, 51, 53}}});
    subject.experiment.baseline = "RAM only";
    CHECK(find(subject).answer.starts_with("“second drive” is the fastest placement: 156 % more time than “RAM only”"));
  }
}

TEST_CASE("names in sentences are made safe") {
  auto subject = sample_subject(2);
  subject.experiment.scenarios[5].name = "drive\x1b[31m\n2";
  for (auto& run : subject.runs) {
    if (run.arm == "second drive") run.arm = run.scenario = "drive\x1b[31m\n2";
  }
  const auto answer = find(subject).answer;
  CHECK(answer.find('\x1b') == std::string::npos);
  CHECK(answer.find('\n') == std::string::npos);
}
