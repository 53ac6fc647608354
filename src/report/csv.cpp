#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "report/csv_parts.hpp"
#include "report/findings.hpp"
#include "report/run_figures.hpp"

namespace swaprig::report {

namespace {

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
      {"wall_s", [](const Run&, const Figures& f) { return csv_figure(f.wall_s); }},
      {"user_s", [](const Run&, const Figures& f) { return csv_figure(f.user_s); }},
      {"sys_s", [](const Run&, const Figures& f) { return csv_figure(f.sys_s); }},
      {"peak_memory_bytes", [](const Run&, const Figures& f) { return csv_figure(f.peak_memory_bytes); }},
      {"host_wall_s", [](const Run&, const Figures& f) { return csv_figure(f.host_wall_s); }},
      {"pswpin_pages", [](const Run&, const Figures& f) { return csv_figure(f.pswpin_pages); }},
      {"pswpout_pages", [](const Run&, const Figures& f) { return csv_figure(f.pswpout_pages); }},
      {"accel", [](const Run& run, const Figures&) { return run.evidence.acceleration; }},
      {"o_direct", [](const Run&, const Figures& f) { return f.o_direct; }},
      {"started_utc", [](const Run&, const Figures& f) { return f.started_utc.value_or(""); }},
      {"ended_utc", [](const Run&, const Figures& f) { return f.ended_utc.value_or(""); }},
      {"run", [](const Run& run, const Figures&) { return run.id; }},
      {"reason_text",
       [](const Run& run, const Figures&) { return run.reasons.empty() ? "" : run.reasons.front().text; }},
      {"boot_s", [](const Run&, const Figures& f) { return csv_figure(f.boot_s); }},
      {"place_swap_s", [](const Run&, const Figures& f) { return csv_figure(f.place_swap_s); }},
      {"settle_s", [](const Run&, const Figures& f) { return csv_figure(f.settle_s); }},
      {"swapoff_s", [](const Run&, const Figures& f) { return csv_figure(f.swapoff_s); }},
      {"major_faults", [](const Run&, const Figures& f) { return csv_figure(f.major_faults); }},
      {"judge_version", [](const Run& run, const Figures&) { return fmt::format("{}", run.judge_version); }},
      {"drive_busy_s", [](const Run&, const Figures& f) { return csv_figure(f.drive_busy_s); }},
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
      line += csv_field(column.value(*run, figures));
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace swaprig::report
