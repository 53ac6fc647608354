#include <fmt/format.h>

#include <algorithm>

#include "report/chart.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_time_bar_height = 38;
constexpr int k_time_room = 90;
constexpr int k_time_legend_columns = 12;

struct TimedArm {
  const Arm* arm;
  SwapDriveTime time;
};

std::vector<TimedArm> arms_with_drive_time(const Findings& findings) {
  std::vector<TimedArm> arms;
  for (const auto& arm : findings.arms) {
    if (const auto time = arm.work ? swap_drive_time(*arm.work) : std::nullopt) arms.push_back({&arm, *time});
  }
  return arms;
}

/// One part of the bars.
struct Segment {
  const char* name;
  const char* paint;
  double SwapDriveTime::*seconds;
};

constexpr std::array k_segments{Segment{"seek", colour("hue2"), &SwapDriveTime::seek_s},
                                Segment{"rotation", colour("hue1"), &SwapDriveTime::rotation_s},
                                Segment{"transfer", colour("hue3"), &SwapDriveTime::transfer_s},
                                Segment{"SSD: busy", colour("hue4"), &SwapDriveTime::solid_busy_s}};

/// Only what one of the bars has.
std::vector<Segment> used_segments(const std::vector<TimedArm>& arms) {
  std::vector<Segment> used;
  std::copy_if(k_segments.begin(), k_segments.end(), std::back_inserter(used), [&](const Segment& segment) {
    return std::any_of(arms.begin(), arms.end(), [&](const TimedArm& one) { return one.time.*segment.seconds > 0; });
  });
  return used;
}

void draw_segments(Plot& plot, const std::vector<TimedArm>& arms) {
  std::vector<double> reached(arms.size(), 0);
  for (const auto& segment : k_segments) {
    std::vector<std::vector<double>> boxes;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const double seconds = arms[i].time.*segment.seconds;
      if (seconds <= 0) continue;
      const double row = static_cast<double>(i) + 1;
      boxes.push_back({reached[i], row, reached[i], reached[i] + seconds, row - 0.32, row + 0.32});
      reached[i] += seconds;
    }
    plot.layer(boxes, fmt::format("using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}'", segment.paint));
  }
}

std::string drive_time_description(const std::vector<TimedArm>& arms) {
  std::string text = "Time of the drives that each scenario swaps to, in seconds, in the run that gives its score.";
  for (const auto& [arm, time] : arms) {
    text += fmt::format(" {}: busy {} of {} s", arm->label, figure_in_words(time.busy_s),
                        figure_in_words(arm->scored->wall_seconds()));
    if (time.rotating > 0) {
      text += fmt::format(", seek {}, rotation {}, transfer {}", figure_in_words(time.seek_s),
                          figure_in_words(time.rotation_s), figure_in_words(time.transfer_s));
    }
    text += ".";
  }
  return text;
}

}  // namespace

std::optional<Chart> drive_time_chart(const Findings& findings) {
  const auto arms = arms_with_drive_time(findings);
  if (arms.empty()) return std::nullopt;
  std::vector<std::string> labels;
  std::vector<LegendEntry> entries;
  double longest = 0;
  for (const auto& [arm, time] : arms) {
    labels.push_back(arm->label);
    longest = std::max({longest, time.busy_s, arm->scored->wall_seconds()});
  }
  for (const auto& segment : used_segments(arms)) entries.push_back({segment.name, segment.paint});
  const int left = label_room(labels);
  const int above = 8 + legend_height(entries.size(), k_chart_width, left, k_time_legend_columns);

  Plot plot(k_chart_width, static_cast<int>(arms.size()), k_time_bar_height,
            {.left = left, .right = k_time_room, .top = above, .bottom = 56});
  plot.line(fmt::format("set xrange [0:{:.10g}]", longest > 0 ? longest * 1.03 : 1.0));
  plot.line(fmt::format("set xlabel 'seconds' offset 0,0.4 textcolor rgb '{}'", colour("muted")));
  plot.line(legend(entries, plot.width(), plot.height(), left, 2, k_time_legend_columns));
  std::vector<std::vector<double>> wholes;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const double row = static_cast<double>(i) + 1;
    plot.text_beside(left - k_label_gap, row, arms[i].arm->label, k_label_columns, Align::right, colour("ink"));
    plot.text_beside(k_chart_width - k_label_gap, row, figure_in_words(arms[i].time.busy_s) + " s", 12, Align::right,
                     colour("ink"));
    wholes.push_back({arms[i].arm->scored->wall_seconds(), row - 0.42, 0, 0.84});
  }
  draw_segments(plot, arms);
  plot.layer(wholes, fmt::format("using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb '{}'", colour("ink")));

  Chart chart;
  chart.name = "drive-time";
  chart.title = "Where the drive’s time went";
  chart.description = drive_time_description(arms);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace swaprig::report
