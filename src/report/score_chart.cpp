#include <fmt/format.h>

#include <algorithm>

#include "report/chart.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_bar_height = 46;
constexpr int k_score_room = 140;

const char* bar_colour(const Arm& arm) {
  if (arm.baseline || arm.aa) return colour("baseline");
  return arm.places_swap ? colour("bar") : colour("reference");
}

/// Runs of one arm lie beside each other in the order of the blocks, so that none hides another.
double dot_offset(std::size_t index, std::size_t count) {
  const double step = std::min(0.13, 0.5 / static_cast<double>(count));
  return (static_cast<double>(index) - static_cast<double>(count - 1) / 2) * step;
}

void draw_bar(Plot& plot, const Arm& arm, double row) {
  plot.layer({{0, row, 0, *arm.score, row - 0.34, row + 0.34}},
             fmt::format("using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}'", bar_colour(arm)));
}

std::string score_description(const Findings& findings) {
  std::string text = fmt::format("Bars of the {} in seconds, fastest first.", findings.score_words);
  for (const auto& arm : findings.arms) {
    text += fmt::format(" {}: {}.", arm.label, arm.score ? score_in_words(arm) : "no valid run, " + arm.blank_because);
  }
  return text;
}

}  // namespace

Chart score_chart(const Findings& findings) {
  std::vector<std::string> labels;
  for (const auto& arm : findings.arms) labels.push_back(arm.label);
  const int left = label_room(labels);
  Plot plot(k_chart_width, static_cast<int>(labels.size()), k_bar_height,
            {.left = left, .right = k_score_room, .top = 8, .bottom = 56});
  double longest = 0;
  for (const auto& arm : findings.arms) {
    if (arm.summary) longest = std::max(longest, arm.summary->worst);
  }
  plot.line(fmt::format("set xrange [0:{:.10g}]", longest > 0 ? longest * 1.03 : 1.0));
  plot.line(fmt::format("set xlabel 'seconds' offset 0,0.4 textcolor rgb '{}'", colour("muted")));

  std::vector<std::vector<double>> dots;
  std::vector<std::vector<double>> medians;
  std::vector<std::vector<double>> bests;
  double row = 0;
  for (const auto& arm : findings.arms) {
    row += 1;
    plot.text_beside(left - k_label_gap, row, arm.label, k_label_columns, Align::right, colour("ink"));
    if (!arm.summary) {
      plot.text_beside(left + k_label_gap, row, "no valid run: " + arm.blank_because, 70, Align::left,
                       colour("slower"));
      continue;
    }
    draw_bar(plot, arm, row);
    plot.text_beside(k_chart_width - k_label_gap, row, score_in_words(arm), 24, Align::right, colour("ink"));
    for (std::size_t i = 0; i < arm.times.size(); ++i) {
      dots.push_back({arm.times[i].seconds, row + dot_offset(i, arm.times.size())});
      if (arm.times[i].seconds <= arm.summary->best && bests.size() < static_cast<std::size_t>(row)) {
        bests.push_back(dots.back());
      }
    }
    medians.push_back({arm.summary->median, row - 0.42, 0, 0.84});
  }
  plot.layer(medians, fmt::format("using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb '{}'", colour("ink")));
  plot.layer(dots, fmt::format("using 1:2 with points pointtype 7 pointsize 0.75 linecolor rgb '{}'", colour("paper")));
  plot.layer(dots, fmt::format("using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '{}'", colour("ink")));
  plot.layer(bests,
             fmt::format("using 1:2 with points pointtype 13 pointsize 0.85 linecolor rgb '{}'", colour("best")));

  Chart chart;
  chart.name = "times";
  chart.title = "Time of the workload by scenario";
  chart.description = score_description(findings);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
