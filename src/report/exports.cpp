#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "base/text.hpp"
#include "plan/plan.hpp"
#include "report/findings.hpp"
#include "report/json_parts.hpp"
#include "report/report.hpp"
#include "report/run_figures.hpp"

namespace swaprig::report {

namespace {

/// A label's value in OpenMetrics: backslash, quote and line feed are escaped.
std::string label(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return '"' + escaped + '"';
}

/// One family of gauges, written together as the format wants it.
struct Family {
  const char* name;
  const char* unit;  ///< what the name ends in; empty when it has none
  const char* help;
  std::vector<std::string> samples{};

  void add(const std::string& labels, double value) {
    samples.push_back(fmt::format("{}{{{}}} {}\n", name, labels, value));
  }
};

std::string to_text(const Family& family) {
  if (family.samples.empty()) return "";
  std::string text = fmt::format("# TYPE {} gauge\n", family.name);
  if (*family.unit != '\0') text += fmt::format("# UNIT {} {}\n", family.name, family.unit);
  text += fmt::format("# HELP {} {}\n", family.name, family.help);
  for (const auto& sample : family.samples) text += sample;
  return text;
}

double unix_seconds(UtcTime time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

/// The last attempt of every run that was planned, by block and position; nothing where it was not begun.
struct LastAttempt {
  plan::PlannedRun planned;
  const run::RunRecord* run = nullptr;
};

std::vector<LastAttempt> last_attempts(const Subject& subject) {
  std::vector<LastAttempt> attempts;
  for (const auto& planned : plan::make_plan(subject.experiment)) {
    if (static_cast<int>(attempts.size()) == subject.planned_runs) break;  // stopped early: precise enough
    LastAttempt last{planned, nullptr};
    for (const auto& run : subject.runs) {
      if (run.block != planned.block || run.arm != planned.arm) continue;
      if (last.run == nullptr || run.attempt >= last.run->attempt) last.run = &run;
    }
    attempts.push_back(last);
  }
  return attempts;
}

std::string reasons_of(const run::RunRecord& run) {
  std::vector<std::string> lines;
  for (const auto& reason : run.reasons) lines.push_back(reason.code + ": " + reason.text);
  return printable(join(lines, "\n"));
}

void add_outcome(pugi::xml_node test, const run::RunRecord* run) {
  const auto add = [&](const char* element, const std::string& type, const std::string& message) {
    auto node = test.append_child(element);
    if (!type.empty()) node.append_attribute("type") = type.c_str();
    node.append_attribute("message") = printable_line(message).c_str();
    return node;
  };
  if (run == nullptr) {
    add("skipped", "", "not run yet");
    return;
  }
  const auto code = run->reasons.empty() ? run::to_string(run->state) : run->reasons.front().code;
  switch (run->state) {
    case run::State::valid:
      break;
    case run::State::unsupported:
      add("skipped", "", code).text() = reasons_of(*run).c_str();
      break;
    case run::State::invalid:
    case run::State::failed:
      add("failure", run::to_string(run->state), code).text() = reasons_of(*run).c_str();
      break;
    case run::State::planned:
    case run::State::running:
    case run::State::aborted:
      add("error", run::to_string(run->state), code).text() = reasons_of(*run).c_str();
      break;
  }
}

}  // namespace

std::string to_openmetrics(const Subject& subject) {
  const auto findings = find(subject);
  Family score{"swaprig_score_seconds", "seconds", "What a scenario is ranked by: the best or the median of its valid runs."};
  Family median{"swaprig_median_seconds", "seconds", "Median of the workload's time over a scenario's valid runs."};
  Family valid{"swaprig_valid_runs", "", "Runs of a scenario that count."};
  Family planned{"swaprig_planned_runs", "", "Runs of a scenario that were planned."};
  Family in{"swaprig_swapped_in_bytes", "bytes", "Median of what a scenario's valid runs swapped in."};
  Family out{"swaprig_swapped_out_bytes", "bytes", "Median of what a scenario's valid runs swapped out."};
  Family drive{"swaprig_drive_busy_seconds", "seconds", "Time that the simulated drive with the swap was busy, in the run with the score."};
  Family started{"swaprig_batch_start_timestamp_seconds", "seconds", "When the batch began, in seconds since 1970."};
  Family ended{"swaprig_batch_end_timestamp_seconds", "seconds", "When the batch ended, in seconds since 1970."};
  const auto whole = fmt::format("experiment={}", label(subject.experiment.name));
  started.add(whole, unix_seconds(subject.started));
  if (subject.ended) ended.add(whole, unix_seconds(*subject.ended));
  for (const auto& arm : findings.arms) {
    const auto labels = fmt::format("{},scenario={}", whole, label(arm.name));
    planned.add(labels, arm.planned);
    valid.add(labels, static_cast<double>(arm.times.size()));
    if (arm.score) score.add(labels, *arm.score);
    if (arm.summary) median.add(labels, arm.summary->median);
    if (arm.swapped_in_bytes) in.add(labels, static_cast<double>(*arm.swapped_in_bytes));
    if (arm.swapped_out_bytes) out.add(labels, static_cast<double>(*arm.swapped_out_bytes));
    if (const auto busy = arm.drive_time_s()) drive.add(labels, *busy);
  }
  std::string text;
  for (const auto* family : {&score, &median, &valid, &planned, &in, &out, &drive, &started, &ended}) text += to_text(*family);
  return text + "# EOF\n";
}

std::string to_hyperfine(const Subject& subject) {
  Json results = Json::array();
  for (const auto& arm : find(subject).arms) {
    if (!arm.summary) continue;  // hyperfine knows no result without a time
    double user = 0;
    double system = 0;
    double sum = 0;
    std::vector<double> times;
    for (const auto& run : subject.runs) {
      if (run.arm != arm.name || run.state != run::State::valid) continue;
      const auto figures = figures_of(run, subject.experiment);
      user += figures.user_s.value_or(0);
      system += figures.sys_s.value_or(0);
      sum += run.wall_seconds();
      times.push_back(run.wall_seconds());
    }
    const auto count = static_cast<double>(times.size());
    double squares = 0;
    for (const double time : times) squares += (time - sum / count) * (time - sum / count);
    results.push_back({{"command", arm.name},
                       {"mean", sum / count},
                       {"stddev", times.size() > 1 ? Json(std::sqrt(squares / (count - 1))) : Json(nullptr)},
                       {"median", arm.summary->median},
                       {"user", user / count},
                       {"system", system / count},
                       {"min", arm.summary->best},
                       {"max", arm.summary->worst},
                       {"times", times},
                       {"exit_codes", std::vector<int>(times.size(), 0)}});
  }
  return Json{{"results", results}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_junit(const Subject& subject) {
  const auto attempts = last_attempts(subject);
  const auto count = [&](auto&& test) { return static_cast<int>(std::count_if(attempts.begin(), attempts.end(), test)); };
  const auto is = [](const LastAttempt& one, run::State state) { return one.run != nullptr && one.run->state == state; };
  const int failures = count([&](const auto& one) { return is(one, run::State::invalid) || is(one, run::State::failed); });
  const int skipped = count([&](const auto& one) { return one.run == nullptr || is(one, run::State::unsupported); });
  const int errors = count([&](const auto& one) {
    return is(one, run::State::aborted) || is(one, run::State::running) || is(one, run::State::planned);
  });

  pugi::xml_document document;
  auto root = document.append_child("testsuites");
  auto suite = root.append_child("testsuite");
  const auto set = [](pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name) = value.c_str();
  };
  set(suite, "name", printable_line(subject.experiment.name));
  set(suite, "tests", std::to_string(attempts.size()));
  set(suite, "failures", std::to_string(failures));
  set(suite, "errors", std::to_string(errors));
  set(suite, "skipped", std::to_string(skipped));
  double total = 0;
  for (const auto& one : attempts) total += one.run != nullptr ? figures_of(*one.run, subject.experiment).wall_s.value_or(0) : 0;
  set(suite, "time", fmt::format("{:.3f}", total));
  set(suite, "timestamp", iso8601(subject.started).substr(0, 19));
  for (const auto& [planned, run] : attempts) {
    auto test = suite.append_child("testcase");
    set(test, "classname", printable_line(subject.experiment.name));
    set(test, "name", printable_line(fmt::format("{}, block {}", planned.arm, planned.block)));
    set(test, "time", fmt::format("{:.3f}", run != nullptr ? figures_of(*run, subject.experiment).wall_s.value_or(0) : 0));
    add_outcome(test, run);
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace swaprig::report
