#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/chart.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/run_course.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_order_panel = 300;  // px
constexpr int k_order_left = 70;
constexpr int k_order_legend_columns = 30;

constexpr std::array k_order_hues{colour("hue1"), colour("hue2"), colour("hue3"), colour("hue4"),
                                  colour("hue5"), colour("hue6"), colour("hue7"), colour("hue8")};
/// gnuplot's filled square, circle, triangles, diamond and pentagon, and a star: 7 of them and 8 hues give 56 marks.
constexpr std::array k_order_points{7, 5, 9, 13, 11, 15, 3};

/// How an arm is marked; by its place in the file's order, so that a faster run changes no colour.
struct OrderMark {
  const char* paint;
  int point_type;
};

OrderMark order_mark(std::size_t index) {
  return {k_order_hues[index % k_order_hues.size()], k_order_points[index % k_order_points.size()]};
}

/// From a bit below the fastest to a bit above the slowest run.
struct OrderAxis {
  bool logarithmic = false;  ///< when the slowest took more than four times as long as the fastest
  double low = 0;
  double high = 1;
};

OrderAxis order_axis(const std::vector<OrderedRun>& runs) {
  std::optional<double> least;
  std::optional<double> most;
  for (const auto& run : runs) {
    if (!run.seconds || *run.seconds <= 0) continue;
    least = std::min(least.value_or(*run.seconds), *run.seconds);
    most = std::max(most.value_or(*run.seconds), *run.seconds);
  }
  if (!least) return {};
  if (*most > 4 * *least) {
    const double room = std::pow(*most / *least, 0.06);
    return {true, *least / (room * room), *most * room};
  }
  const double room = std::max(*most - *least, 0.1 * *most);
  return {false, std::max(0.0, *least - 0.25 * room), *most + 0.1 * room};
}

void set_order_axes(Plot& plot, const OrderAxis& axis, std::size_t runs) {
  const char* muted = colour("muted");
  const auto count = static_cast<double>(runs);
  plot.line(fmt::format("set xrange [0.4:{:.10g}]", count + 0.6));
  plot.line(fmt::format("set xtics {0:.10g},{0:.10g}", std::max(1.0, round_step(count, 12))));
  plot.line(fmt::format("set xlabel 'place in the order of the runs' offset 0,0.4 textcolor rgb '{}'", muted));
  plot.line(fmt::format("set ytics scale 0 nomirror textcolor rgb '{}'", muted));
  plot.line("unset grid");
  plot.line(fmt::format("set grid ytics back linetype 1 linewidth 1 linecolor rgb '{}'", colour("grid")));
  if (axis.logarithmic) {
    plot.line("set logscale y");
    plot.line("set ytics " + logarithmic_tics(axis.low, axis.high));
  } else {
    plot.line(fmt::format("set ytics {:.10g}", round_step(axis.high - axis.low, 6)));
  }
  plot.line(fmt::format("set yrange [{:.10g}:{:.10g}]", axis.low, axis.high));
  plot.line(fmt::format("set ylabel 'seconds{}' offset 1,0 textcolor rgb '{}'",
                        axis.logarithmic ? " (logarithmic)" : "", muted));
}

bool counts(const OrderedRun& run) { return run.run->state == run::State::valid; }

/// The runs of one arm: a line through the valid ones, a mark for each.
void draw_arm(Plot& plot, const std::vector<OrderedRun>& runs, const std::string& arm, OrderMark mark, double bottom) {
  std::vector<std::vector<double>> valid;
  std::vector<std::vector<double>> all;
  for (const auto& run : runs) {
    if (run.run->arm != arm) continue;
    all.push_back({static_cast<double>(run.place), run.seconds.value_or(bottom)});
    if (counts(run) && run.seconds) valid.push_back(all.back());
  }
  if (valid.size() > 1)
    plot.layer(valid, fmt::format("using 1:2 with lines linewidth 1 linecolor rgb '{}'", mark.paint));
  plot.layer(all, fmt::format("using 1:2 with points pointtype {} pointsize 1.0 linecolor rgb '{}'", mark.point_type,
                              mark.paint));
}

void draw_uncounted(Plot& plot, const std::vector<OrderedRun>& runs, double bottom) {
  std::vector<std::vector<double>> invalid;
  std::vector<std::vector<double>> unfinished;
  for (const auto& run : runs) {
    if (counts(run)) continue;
    auto& list = run.seconds ? invalid : unfinished;
    list.push_back({static_cast<double>(run.place), run.seconds.value_or(bottom)});
  }
  const auto style = [](int point, double size) {
    return fmt::format("using 1:2 with points pointtype {} pointsize {} linewidth 2 linecolor rgb '{}'", point, size,
                       colour("slower"));
  };
  plot.layer(invalid, style(6, 2.0));
  plot.layer(unfinished, style(2, 1.6));
}

std::vector<LegendEntry> order_legend(const std::vector<const Arm*>& arms, const std::vector<OrderedRun>& runs) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const auto mark = order_mark(i);
    entries.push_back({arms[i]->label, mark.paint, mark.point_type});
  }
  const auto any = [&](bool finished) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const auto& run) { return !counts(run) && run.seconds.has_value() == finished; });
  };
  if (any(true)) entries.push_back({"ring: does not count", colour("slower"), 6});
  if (any(false)) entries.push_back({"cross: did not finish", colour("slower"), 2});
  return entries;
}

/// As the file has them.
std::vector<const Arm*> arms_in_file_order(const Subject& subject, const Findings& findings) {
  std::vector<const Arm*> arms;
  for (const auto& scenario : subject.experiment.scenarios) {
    for (const bool aa : {false, true}) {
      for (const auto& arm : findings.arms) {
        if (arm.scenario == scenario.name && arm.aa == aa) arms.push_back(&arm);
      }
    }
  }
  return arms;
}

std::string order_description(const std::vector<OrderedRun>& runs) {
  const auto uncounted = std::count_if(runs.begin(), runs.end(), [](const auto& run) { return !counts(run); });
  return fmt::format(
      "The seconds of {} against their place in the order in which they were made, a mark for each "
      "scenario; {} of them do not count. The table beside it has every value.",
      counted(static_cast<int>(runs.size()), "run"), uncounted);
}

}  // namespace

std::optional<Chart> order_chart(const Subject& subject, const Findings& findings) {
  const auto runs = run_order(subject);
  if (runs.empty()) return std::nullopt;
  const auto arms = arms_in_file_order(subject, findings);
  const auto entries = order_legend(arms, runs);
  const int above = 14 + legend_height(entries.size(), k_chart_width, k_order_left, k_order_legend_columns);
  Plot plot(k_chart_width, 1, k_order_panel, {.left = k_order_left, .right = 16, .top = above, .bottom = 58});
  const auto axis = order_axis(runs);
  set_order_axes(plot, axis, runs.size());
  plot.line(legend(entries, plot.width(), plot.height(), k_order_left, 2, k_order_legend_columns));
  for (std::size_t i = 0; i < arms.size(); ++i) draw_arm(plot, runs, arms[i]->name, order_mark(i), axis.low);
  draw_uncounted(plot, runs, axis.low);

  Chart chart;
  chart.name = "order";
  chart.title = "Runs in the order in which they were made";
  chart.description = order_description(runs);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
