#include "report/drive_curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"

namespace swaprig::report {

namespace {

constexpr int k_curve_panel = 300;  // px
constexpr int k_curve_left = 76;
constexpr int k_curve_columns = 40;

std::vector<std::vector<double>> rows_of(const std::vector<RatePoint>& points) {
  std::vector<std::vector<double>> rows;
  for (const auto& point : points) rows.push_back({point.percent, point.mb_per_s});
  return rows;
}

void set_curve_axes(Plot& plot, double most) {
  const char* muted = colour("muted");
  plot.line("set xrange [0:100]");
  plot.line("set xtics 0,10");
  plot.line(fmt::format("set yrange [0:{:.10g}]", 1.08 * most));
  plot.line(fmt::format("set ytics scale 0 nomirror textcolor rgb '{}'", muted));
  plot.line(fmt::format("set ytics {:.10g}", round_step(most, 8)));
  plot.line(fmt::format("set grid ytics back linetype 1 linewidth 1 linecolor rgb '{}'", colour("grid")));
  plot.line(fmt::format("set xlabel 'place on the drive, % of its capacity' offset 0,0.4 textcolor rgb '{}'", muted));
  plot.line(fmt::format("set ylabel 'MB/s' offset 1,0 textcolor rgb '{}'", muted));
}

std::string curve_description(const std::vector<RatePoint>& measured) {
  std::vector<std::string> words;
  for (const auto& point : measured) words.push_back(fmt::format("{:.0f} % {:.1f}", point.percent, point.mb_per_s));
  return "Rate of sequential reads in MB/s against the place on the drive. " + join(words, ", ") + ".";
}

}  // namespace

Chart drive_curve_chart(const std::string& name, const std::string& title, const std::vector<RatePoint>& measured,
                        const std::vector<RatePoint>& fitted) {
  SWAPRIG_ASSERT(!measured.empty());
  double most = 0;
  for (const auto* points : {&measured, &fitted}) {
    for (const auto& point : *points) most = std::max(most, point.mb_per_s);
  }
  std::vector<LegendEntry> entries{{"measured", colour("hue1"), 7}};
  if (!fitted.empty()) entries.push_back({"the profile made from it", colour("hue2"), 5});
  const int above = 14 + legend_height(entries.size(), k_chart_width, k_curve_left, k_curve_columns);
  Plot plot(k_chart_width, 1, k_curve_panel, {.left = k_curve_left, .right = 24, .top = above, .bottom = 58});
  set_curve_axes(plot, most);
  plot.line(legend(entries, plot.width(), plot.height(), k_curve_left, 2, k_curve_columns));
  plot.layer(rows_of(fitted), fmt::format("using 1:2 with lines linewidth 2 linecolor rgb '{}'", colour("hue2")));
  plot.layer(rows_of(measured),
             fmt::format("using 1:2 with points pointtype 7 pointsize 1.1 linecolor rgb '{}'", colour("hue1")));

  Chart chart;
  chart.name = name;
  chart.title = title;
  chart.description = curve_description(measured);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
