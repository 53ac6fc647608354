#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "base/text.hpp"
#include "report/report.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

TEST_CASE("OpenMetrics: families together, ended by EOF, labels escaped") {
  const auto text = to_openmetrics(sample_simulated_subject(2));
  check_golden("export-openmetrics.txt", text);
  CHECK(text.ends_with("# EOF\n"));

  auto subject = sample_subject(2);
  subject.experiment.name = "a \"b\"\\c\nd";
  const auto escaped = to_openmetrics(subject);
  CHECK(escaped.find(R"(experiment="a \"b\"\\c\nd")") != std::string::npos);
}

TEST_CASE("OpenMetrics: what was not measured has no sample, never 0") {
  auto subject = sample_subject(2);
  for (auto& run : subject.runs) fail(run, run::State::failed, "timeout", "");
  const auto text = to_openmetrics(subject);
  CHECK(text.find("swaprig_score_seconds") == std::string::npos);
  CHECK(text.find("swaprig_valid_runs{experiment=\"placement\",scenario=\"RAM only\"} 0\n") != std::string::npos);
}

TEST_CASE("hyperfine's JSON: one result a scenario, with every time") {
  const auto subject = sample_subject(3);
  const auto json = nlohmann::json::parse(to_hyperfine(subject));
  REQUIRE(json.at("results").size() > 1);
  for (const auto& result : json.at("results")) {
    const auto times = result.at("times").get<std::vector<double>>();
    REQUIRE_FALSE(times.empty());
    CHECK(result.at("min").get<double>() == *std::min_element(times.begin(), times.end()));
    CHECK(result.at("exit_codes").size() == times.size());
    CHECK(result.at("stddev").is_null() == (times.size() == 1));
    CHECK(result.at("mean").get<double>() >= result.at("min").get<double>());
  }
}

TEST_CASE("JUnit: a case for each planned run, by its last attempt") {
  auto subject = sample_subject(3);
  const auto text = to_junit(subject);
  check_golden("export-junit.xml", text);
  pugi::xml_document document;
  REQUIRE(document.load_string(text.c_str()));
  const auto suite = document.child("testsuites").child("testsuite");
  int cases = 0;
  int failures = 0;
  for (const auto test : suite.children("testcase")) {
    ++cases;
    if (test.child("failure")) ++failures;
  }
  CHECK(cases == subject.planned_runs);
  CHECK(suite.attribute("tests").as_int() == cases);
  CHECK(suite.attribute("failures").as_int() == failures);
}

TEST_CASE("JUnit: what a guest sent stays text") {
  auto subject = sample_subject(2);
  fail(subject.runs[0], run::State::failed, "exit status", "\x1b[31m<script>&\xff\x01");
  pugi::xml_document document;
  REQUIRE(document.load_string(to_junit(subject).c_str()));
  const std::string said = document.child("testsuites").child("testsuite").find_child([](auto node) {
    return node.child("failure");
  }).child("failure").text().get();
  CHECK(said.find("<script>&") != std::string::npos);
  CHECK(said.find('\x1b') == std::string::npos);
}

TEST_CASE("JUnit: a run that was not begun is skipped") {
  auto subject = sample_subject(2);
  subject.runs.clear();
  pugi::xml_document document;
  REQUIRE(document.load_string(to_junit(subject).c_str()));
  const auto suite = document.child("testsuites").child("testsuite");
  CHECK(suite.attribute("skipped").as_int() == subject.planned_runs);
  CHECK(suite.child("testcase").child("skipped"));
}
