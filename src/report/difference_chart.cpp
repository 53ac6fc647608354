#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_difference_height = 36;
constexpr int k_verdict_room = 230;

struct LogRange {
  double low = 0;
  double high = 0;
};

std::vector<const Arm*> compared(const Findings& findings) {
  std::vector<const Arm*> arms;
  for (const auto& arm : findings.arms) {
    if (arm.comparison && arm.comparison->pairs > 0) arms.push_back(&arm);
  }
  return arms;
}

/// Holds every effect and the band; intervals may double it and are cut beyond (with two runs they reach to the moon).
LogRange range_of(const std::vector<const Arm*>& arms, double delta) {
  LogRange core{std::log1p(-std::min(3 * delta, 0.9)), std::log1p(3 * delta)};
  LogRange wide = core;
  for (const auto* arm : arms) {
    const auto& comparison = *arm->comparison;
    core = {std::min(core.low, std::log1p(comparison.effect)), std::max(core.high, std::log1p(comparison.effect))};
    if (!comparison.interval95) continue;
    wide = {std::min(wide.low, std::log1p(comparison.interval95->first)),
            std::max(wide.high, std::log1p(comparison.interval95->second))};
  }
  const double room = std::max(0.5 * (core.high - core.low), 0.02);
  return {std::max(std::min(core.low, wide.low), core.low - room) - 0.05 * room,
          std::min(std::max(core.high, wide.high), core.high + room) + 0.05 * room};
}

/// Round differences that fit, outwards from 0, none closer to another than a label is wide.
std::string tics(const LogRange& range) {
  constexpr double k_least_gap = 58.0 / (k_chart_width - k_verdict_room - 200);
  const std::vector<int> below{-1, -2, -5, -10, -20, -30, -40, -50, -60, -70, -80, -90, -95};
  const std::vector<int> above{1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 600, 900, 1900, 4900, 9900};
  const double gap = k_least_gap * (range.high - range.low);
  std::string list = "'0 %%' 1";  // a tic's label is a format: the sign is doubled
  for (const auto& side : {below, above}) {
    double last = 0;
    for (const int tic : side) {
      const double at = std::log1p(tic / 100.0);
      if (at < range.low || at > range.high || std::abs(at - last) < gap) continue;
      list += fmt::format(", '{}{} %%' {:.6g}", tic < 0 ? "−" : "+", std::abs(tic), std::exp(at));
      last = at;
    }
  }
  return list;
}

const char* verdict_colour(const Arm& arm) {
  if (arm.position_only || arm.aa) return colour("undecided");
  if (arm.comparison->word == stats::Word::faster) return colour("faster");
  if (arm.comparison->word == stats::Word::slower) return colour("slower");
  return colour("undecided");
}

void draw_difference(Plot& plot, const Arm& arm, double row, const LogRange& range) {
  const auto& comparison = *arm.comparison;
  const double ratio = 1 + comparison.effect;
  const auto* paint = verdict_colour(arm);
  if (comparison.interval95) {
    const double low = std::max(std::log1p(comparison.interval95->first), range.low);
    const double high = std::min(std::log1p(comparison.interval95->second), range.high);
    plot.layer({{std::exp(low), row, std::exp(high) - std::exp(low), 0}},
               fmt::format("using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '{}'", paint));
    std::vector<std::vector<double>> cut;
    if (std::log1p(comparison.interval95->first) < range.low) cut.push_back({std::exp(low), row});
    plot.layer(cut, fmt::format("using 1:2:('◀') with labels textcolor rgb '{}'", paint));
    cut.clear();
    if (std::log1p(comparison.interval95->second) > range.high) cut.push_back({std::exp(high), row});
    plot.layer(cut, fmt::format("using 1:2:('▶') with labels textcolor rgb '{}'", paint));
  }
  plot.layer({{ratio, row}}, fmt::format("using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '{}'", paint));
}

std::string difference_description(const Findings& findings, const std::vector<const Arm*>& arms) {
  std::string text = fmt::format("Differences to {}, in per cent of its time; the band of ±{} does not matter.",
                                 findings.baseline()->label, percent(findings.delta));
  for (const auto* arm : arms) {
    text += fmt::format(" {}: {}", arm->label, effect_in_words(*arm->comparison));
    if (arm->comparison->interval95) text += fmt::format(" ({})", interval_in_words(*arm->comparison->interval95));
    text += fmt::format(", {}.", verdict_in_words(*arm));
  }
  return text;
}

}  // namespace

std::optional<Chart> difference_chart(const Findings& findings) {
  const auto arms = compared(findings);
  if (arms.empty()) return std::nullopt;
  std::vector<std::string> labels;
  for (const auto* arm : arms) labels.push_back(arm->label);
  const int left = label_room(labels);
  const auto range = range_of(arms, findings.delta);

  Plot plot(k_chart_width, static_cast<int>(arms.size()), k_difference_height,
            {.left = left, .right = k_verdict_room, .top = 8, .bottom = 60});
  plot.line("set logscale x");
  plot.line(fmt::format("set xrange [{:.6g}:{:.6g}]", std::exp(range.low), std::exp(range.high)));
  plot.line(fmt::format("set xtics ({})", tics(range)));
  plot.line(fmt::format("set xlabel {} offset 0,0.4 textcolor rgb '{}'",
                        gnuplot_string("time against " + quoted(findings.baseline()->label), 60), colour("muted")));
  plot.line(fmt::format(
      "set object rectangle from {:.6g}, graph 0 to {:.6g}, graph 1 back fillcolor rgb '{}' fillstyle solid "
      "noborder",
      1 - findings.delta, 1 + findings.delta, colour("band")));
  plot.line(fmt::format("set arrow from 1, graph 0 to 1, graph 1 nohead back linewidth 1.5 linecolor rgb '{}'",
                        colour("muted")));
  double row = 0;
  for (const auto* arm : arms) {
    row += 1;
    plot.text_beside(left - k_label_gap, row, arm->label, k_label_columns, Align::right, colour("ink"));
    plot.text_beside(k_chart_width - k_verdict_room + k_label_gap, row,
                     effect_in_words(*arm->comparison) + "  " + verdict_in_words(*arm), 32, Align::left, colour("ink"));
    draw_difference(plot, *arm, row, range);
  }

  Chart chart;
  chart.name = "differences";
  chart.title = "Differences to the baseline";
  chart.description = difference_description(findings, arms);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
