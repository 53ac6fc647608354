#include "report/creation_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_creation_panel = 340;  // px
constexpr int k_creation_left = 84;
constexpr int k_creation_right = 24;
constexpr int k_creation_legend_columns = 30;
constexpr double k_creation_label_px = 64;  // between two labelled sizes

constexpr std::array k_creation_hues{colour("hue1"), colour("hue2"), colour("hue3"), colour("hue4"),
                                     colour("hue5"), colour("hue6"), colour("hue7"), colour("hue8")};
constexpr std::array k_creation_points{7, 5, 9, 13, 11, 15, 3};  // as in the chart of the order

/// How the lines look: a dashed one like the one that it is a variant of, with gnuplot's open mark of the same shape.
struct CreationLook {
  const char* hue;
  int point;
};

std::vector<CreationLook> looks_of(const std::vector<CreationSeries>& series) {
  std::vector<CreationLook> looks;
  std::size_t solid = 0;
  for (const auto& one : series) {
    if (!one.dashed) ++solid;
    const auto index = std::max<std::size_t>(solid, 1) - 1;
    const int filled = k_creation_points[index % k_creation_points.size()];
    looks.push_back({k_creation_hues[index % k_creation_hues.size()], one.dashed ? filled - 1 : filled});
  }
  return looks;
}

bool can_be_drawn(const CreationPoint& point) {
  return point.bytes > 0 && std::isfinite(point.seconds) && point.seconds > 0;
}

/// What can be drawn, by size.
std::vector<CreationPoint> drawn_points(const CreationSeries& series) {
  std::vector<CreationPoint> points;
  std::copy_if(series.points.begin(), series.points.end(), std::back_inserter(points), can_be_drawn);
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return points;
}

struct CreationRange {
  double least = 0;
  double most = 0;

  void take(double value) {
    least = least > 0 ? std::min(least, value) : value;
    most = std::max(most, value);
  }
};

/// "4 GiB"; a size that is no round one in three digits.
std::string size_in_words(std::uint64_t bytes) {
  constexpr std::size_t k_longest = 8;
  const auto words = exact(Bytes{bytes});
  return words.size() <= k_longest ? words : rounded(Bytes{bytes});
}

/// A bit of room on both sides, on a logarithmic scale.
CreationRange with_room(CreationRange range) {
  const double room = std::pow(std::max(range.most / range.least, 4.0), 0.06);
  return {range.least / room, range.most * room};
}

/// A tic at each size, as far as their labels have room.
std::string size_tics(const std::set<std::uint64_t>& sizes, const CreationRange& across) {
  const double px = (k_chart_width - k_creation_left - k_creation_right) / std::log(across.most / across.least);
  std::vector<std::string> tics;
  double last = 0;
  for (const auto size : sizes) {
    const double at = std::log(static_cast<double>(size)) * px;
    if (!tics.empty() && at - last < k_creation_label_px) continue;
    tics.push_back(fmt::format("'{}' {:.10g}", size_in_words(size), static_cast<double>(size)));
    last = at;
  }
  return "set xtics (" + join(tics, ", ") + ")";
}

void set_creation_axes(Plot& plot, const CreationAxes& axes, const std::set<std::uint64_t>& sizes, CreationRange sized,
                       CreationRange timed) {
  const char* muted = colour("muted");
  const auto across = with_room(sized);
  const auto up = with_room(timed);
  plot.line("set logscale xy");
  plot.line(fmt::format("set xrange [{:.10g}:{:.10g}]", across.least, across.most));
  plot.line(fmt::format("set yrange [{:.10g}:{:.10g}]", up.least, up.most));
  plot.line(size_tics(sizes, across));
  plot.line(fmt::format("set ytics scale 0 nomirror textcolor rgb '{}'", muted));
  plot.line("set ytics " + logarithmic_tics(up.least, up.most));
  plot.line(fmt::format("set grid ytics back linetype 1 linewidth 1 linecolor rgb '{}'", colour("grid")));
  plot.line(fmt::format("set xlabel '{} (logarithmic)' offset 0,0.4 textcolor rgb '{}'", axes.across, muted));
  plot.line(fmt::format("set ylabel '{} (logarithmic)' offset 1,0 textcolor rgb '{}'", axes.up, muted));
}

std::string creation_description(const std::vector<CreationSeries>& series, const CreationAxes& axes) {
  auto text = axes.what;
  for (const auto& one : series) {
    std::vector<std::string> words;
    for (const auto& point : drawn_points(one)) {
      words.push_back(size_in_words(point.bytes) + axes.joint + figure_in_words(point.seconds) + axes.unit);
    }
    const auto left_out = one.points.size() - words.size();
    text += fmt::format(" {}: {}.", printable_line(one.method), words.empty() ? "nothing to draw" : join(words, ", "));
    if (left_out > 0) {
      text += fmt::format(" {} of 0 s cannot be drawn on such an axis.", counted(static_cast<int>(left_out), "time"));
    }
  }
  return text;
}

}  // namespace

std::optional<Chart> creation_chart(const std::string& name, const std::string& title,
                                    const std::vector<CreationSeries>& series, const CreationAxes& axes) {
  const auto looks = looks_of(series);
  std::set<std::uint64_t> sizes;
  CreationRange sized;
  CreationRange timed;
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (const auto& point : drawn_points(series[i])) {
      sizes.insert(point.bytes);
      sized.take(static_cast<double>(point.bytes));
      timed.take(point.seconds);
    }
    entries.push_back({series[i].method, looks[i].hue, looks[i].point});
  }
  if (sizes.empty()) return std::nullopt;

  const int above = 14 + legend_height(entries.size(), k_chart_width, k_creation_left, k_creation_legend_columns);
  Plot plot(k_chart_width, 1, k_creation_panel,
            {.left = k_creation_left, .right = k_creation_right, .top = above, .bottom = 58});
  set_creation_axes(plot, axes, sizes, sized, timed);
  plot.line(legend(entries, plot.width(), plot.height(), k_creation_left, 2, k_creation_legend_columns));
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::vector<std::vector<double>> rows;
    for (const auto& point : drawn_points(series[i])) rows.push_back({static_cast<double>(point.bytes), point.seconds});
    if (rows.size() > 1) {
      plot.layer(rows, fmt::format("using 1:2 with lines linewidth 2{} linecolor rgb '{}'",
                                   series[i].dashed ? " dashtype 2" : "", looks[i].hue));
    }
    plot.layer(rows, fmt::format("using 1:2 with points pointtype {} pointsize 1.1 linecolor rgb '{}'",
                                 looks[i].point, looks[i].hue));
  }

  Chart chart;
  chart.name = name;
  chart.title = title;
  chart.description = creation_description(series, axes);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
