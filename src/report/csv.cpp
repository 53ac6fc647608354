#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "report/findings.hpp"
#include "report/run_figures.hpp"

namespace swaprig::report {

namespace {

/// RFC 4180: quoted when it holds a comma, a quote or a line break; quotes are doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

/// Shortest text that reads back as the same number; empty when there is none.
template <typename T>
std::string figure(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

struct Column {
  const char* name;
  std::function<std::string(const run::RunRecord&, const RunFigures&)> value;
};

const std::vector<Column>& columns() {
  using Run = run::RunRecord;
  using Figures = RunFigures;
  static const std::vector<Column> columns{
      {"experiment", [](const Run& run, const Figures&) { return run.experiment; }},
      {"batch", [](const Run& run, const Figures&) { return run.batch; }},
      {"block", [](const Run& run, const Figures&) { return fmt::format("{}", run.block); }},
      {"position", [](const Run& run, const Figures&) { return fmt::format("{}", run.position); }},
      {"attempt", [](const Run& run, const Figures&) { return fmt::format("{}", run.attempt); }},
      {"scenario", [](const Run& run, const Figures&) { return run.arm; }},
      {"state", [](const Run& run, const Figures&) { return run::to_string(run.state); }},
      {"reason", [](const Run& run, const Figures&) { return run.reasons.empty() ? "" : run.reasons.front().code; }},
      {"wall_s", [](const Run&, const Figures& f) { return figure(f.wall_s); }},
      {"user_s", [](const Run&, const Figures& f) { return figure(f.user_s); }},
      {"sys_s", [](const Run&, const Figures& f) { return figure(f.sys_s); }},
      {"peak_memory_bytes", [](const Run&, const Figures& f) { return figure(f.peak_memory_bytes); }},
      {"host_wall_s", [](const Run&, const Figures& f) { return figure(f.host_wall_s); }},
      {"pswpin_pages", [](const Run&, const Figures& f) { return figure(f.pswpin_pages); }},
      {"pswpout_pages", [](const Run&, const Figures& f) { return figure(f.pswpout_pages); }},
      {"accel", [](const Run& run, const Figures&) { return run.evidence.acceleration; }},
      {"o_direct", [](const Run&, const Figures& f) { return f.o_direct; }},
      {"started_utc", [](const Run&, const Figures& f) { return f.started_utc.value_or(""); }},
      {"ended_utc", [](const Run&, const Figures& f) { return f.ended_utc.value_or(""); }},
      {"run", [](const Run& run, const Figures&) { return run.id; }},
      {"reason_text",
       [](const Run& run, const Figures&) { return run.reasons.empty() ? "" : run.reasons.front().text; }},
      {"boot_s", [](const Run&, const Figures& f) { return figure(f.boot_s); }},
      {"place_swap_s", [](const Run&, const Figures& f) { return figure(f.place_swap_s); }},
      {"settle_s", [](const Run&, const Figures& f) { return figure(f.settle_s); }},
      {"swapoff_s", [](const Run&, const Figures& f) { return figure(f.swapoff_s); }},
      {"major_faults", [](const Run&, const Figures& f) { return figure(f.major_faults); }},
      {"judge_version", [](const Run& run, const Figures&) { return fmt::format("{}", run.judge_version); }},
      {"drive_busy_s", [](const Run&, const Figures& f) { return figure(f.drive_busy_s); }},
  };
  return columns;
}

}  // namespace

std::string to_csv(const Subject& subject) {
  std::string text;
  for (const auto& column : columns()) text += (text.empty() ? "" : ",") + std::string(column.name);
  text += "\n";
  for (const auto* run : in_order(subject.runs)) {
    const auto figures = figures_of(*run, subject.experiment);
    std::string line;
    for (const auto& column : columns()) {
      if (&column != &columns().front()) line += ",";
      line += field(column.value(*run, figures));
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace swaprig::report
