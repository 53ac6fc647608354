#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "report/report.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

TEST_CASE("CSV: one row a run, every attempt, missing values empty") {
  const auto csv = to_csv(sample_subject(3));
  check_golden("report-runs.csv", csv);
  const auto lines = split(csv, '\n');
  CHECK(lines.size() == 1 + 19 + 1);  // header, 18 runs and one attempt more, the end of the last line
  CHECK(lines[0].starts_with(
      "experiment,batch,block,position,attempt,scenario,state,reason,wall_s,user_s,sys_s,peak_memory_bytes,host_wall_s,"
      "pswpin_pages,pswpout_pages,accel,o_direct,started_utc"));
}

TEST_CASE("CSV: full precision, and nothing where there is no reading") {
  auto subject = sample_subject(2);
  subject.runs.resize(1);
  auto& run = subject.runs[0];
  run.evidence.workload.wall_ns = 24'110'000'001;
  CHECK(to_csv(subject).find(",24.110000001,") != std::string::npos);
  run.evidence.workload.finished = false;
  run.evidence.workload.peak_memory_kib = 0;
  run.evidence.host_window_ns.reset();
  run.evidence.guest_after.vmstat.clear();
  run.evidence.direct_io.clear();
  fail(run, run::State::failed, "timeout", "");
  const auto row = split(to_csv(subject), '\n').at(1);
  CHECK(row ==
        "placement,20261130T192139-4f2a,1,1,1,RAM only,failed,timeout,,,,,,,,tcg,unknown,2026-11-30T19:32:39.123Z,"
        "2026-11-30T19:33:23.233Z,20261130T192139-4f2a-b1p1a1,,9.4,1.25,2.5,,,3,");
}

TEST_CASE("case 26: names in CSV") {
  auto subject = sample_subject(2);
  subject.runs.resize(1);
  subject.runs[0].arm = "a, \"b\"\n<script>";
  CHECK(to_csv(subject).find(",1,\"a, \"\"b\"\"\n<script>\",valid,,") != std::string::npos);
}

TEST_CASE("JSON: the documented schema") {
  const auto text = to_json(sample_subject(3));
  auto document = nlohmann::ordered_json::parse(text);
  // The evidence is the run room's; here it counts that it is there.
  for (auto& run : document["runs"]) {
    CHECK(run["evidence"].is_object());
    CHECK(run["evidence"].size() > 10);
    run.erase("evidence");
  }
  check_golden("report-report.json", document.dump(2) + "\n");
  CHECK(document["schema"] == "swaprig.report");
  CHECK(document["schema_version"] == 1);
}

TEST_CASE("JSON: null never 0, hostile text and broken UTF-8") {
  auto subject = sample_subject(2);
  for (auto& run : subject.runs) {
    fail(run, run::State::failed, "panic", "\xff\x1b[0m \"quote\" <script>");
    run.evidence.workload.finished = false;
  }
  const auto document = nlohmann::json::parse(to_json(subject));
  CHECK(document["scenarios"][0]["score_s"].is_null());
  CHECK(document["scenarios"][0]["summary"].is_null());
  CHECK(document["scenarios"][0]["comparison"].is_null());
  CHECK(document["scenarios"][0]["blank_because"] == "failed: panic");
  CHECK(document["runs"][0]["wall_s"].is_null());
  CHECK(document["runs"][0]["reasons"][0]["text"] == "\uFFFD\x1b[0m \"quote\" <script>");
}

TEST_CASE("JSON and CSV of simulated drives") {
  const auto subject = sample_simulated_subject();
  const auto document = nlohmann::ordered_json::parse(to_json(subject));
  const auto& slowest = document["scenarios"].back();
  CHECK(slowest["scenario"] == "end of the HDD");
  CHECK(slowest["drive_time_s"] == 56);
  check_golden("report-why.json", slowest["why"].dump(2) + "\n");
  CHECK(slowest["course"][1]["swap_in_bytes_per_s"] == 256 * 4096);
  CHECK(slowest["course"][0]["swap_in_bytes_per_s"].is_null());
  CHECK(document["scenarios"][0]["drive_time_s"].is_null());  // RAM only
  CHECK(document["runs"][0]["place"] == 1);
  const auto lines = split(to_csv(subject), '\n');
  CHECK(lines[0].ends_with(",drive_busy_s"));
  CHECK(lines[1].ends_with(","));    // RAM only
  CHECK(lines[2].ends_with(",40"));  // start of the HDD
}

TEST_CASE("the terminal shows the drives' time where it fits") {
  auto subject = sample_simulated_subject();
  for (auto& run : subject.runs) run.evidence.workload.wall_ns /= 10;
  const auto table = summary_table(subject, false);
  CHECK(table.find("  drive  ") != std::string::npos);
  CHECK(table.find("40.0 s") != std::string::npos);
  for (const auto& line : split(table.substr(table.find("scenario  ")), '\n')) {
    if (line.empty()) break;
    CHECK(line.size() <= 104);  // bytes; some characters take more than one
  }
  subject.experiment.scenarios[5].name = "a drive with a name that leaves no room";
  for (auto& run : subject.runs) {
    if (run.arm == "second drive") run.arm = run.scenario = subject.experiment.scenarios[5].name;
  }
  CHECK(summary_table(subject, false).find("  drive  ") == std::string::npos);
}

TEST_CASE("the table for the terminal") {
  const auto subject = sample_subject();
  check_golden("report-table.txt", summary_table(subject, false));
  CHECK(summary_table(subject, false).find('\x1b') == std::string::npos);
  CHECK(summary_table(subject, true).find("\x1b[32mfaster\x1b[0m") != std::string::npos);
}

TEST_CASE("the table lines up with wide and hostile names") {
  auto subject = sample_subject(2);
  const auto rename = [&](std::size_t index, const std::string& name) {
    auto& scenario = subject.experiment.scenarios[index];
    for (auto& run : subject.runs) {
      if (run.arm == scenario.name) run.arm = run.scenario = name;
    }
    scenario.name = name;
  };
  rename(5, "交换区 on nvme");
  rename(2, "a\x1b[2Jb\nc");
  const auto table = summary_table(subject, false);
  CHECK(table.find('\x1b') == std::string::npos);
  CHECK(table.find("交换区 on nvme  ") != std::string::npos);
  CHECK(split(table, '\n').size() == split(summary_table(sample_subject(2), false), '\n').size());
}
