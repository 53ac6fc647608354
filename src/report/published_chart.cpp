#include "report/published_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_beside_bar = 20;           // px, with the gap to the next bar of the group
constexpr int k_beside_gap = 18;           // px, between groups
constexpr int k_published_bar = 40;        // px
constexpr int k_beside_columns = 62;       // of a reason in place of a bar
constexpr double k_beside_room = 1.16;     // for the figure behind the longest bar
constexpr double k_beside_offset = 0.008;  // of the whole axis, between a bar and its figure

/// One bar of each group.
struct BesideSeries {
  const char* name;
  const char* paint;
  std::optional<double> (*excess)(const BesideRow&);
  const std::string& (*blank_because)(const BesideRow&);
};

const std::string& never_blank(const BesideRow& /*row*/) {
  static const std::string none;
  return none;
}

constexpr std::array k_beside_series{
    BesideSeries{"published", colour("reference"), [](const BesideRow& r) { return std::optional(r.excess); },
                 never_blank},
    BesideSeries{"ours, in seconds", colour("hue1"), [](const BesideRow& r) { return r.time.excess; },
                 [](const BesideRow& r) -> const std::string& { return r.time.blank_because; }},
    BesideSeries{"ours, in drive time", colour("hue2"), [](const BesideRow& r) { return r.drive.excess; },
                 [](const BesideRow& r) -> const std::string& { return r.drive.blank_because; }}};

struct BesideRange {
  double low = 0;
  double high = 1;
};

BesideRange range_beside(const Beside& beside, std::size_t series) {
  BesideRange range;
  for (const auto& row : beside.rows) {
    for (std::size_t i = 0; i < series; ++i) {
      const auto value = k_beside_series[i].excess(row).value_or(0);
      range = {std::min(range.low, value), std::max(range.high, value)};
    }
  }
  return {range.low * k_beside_room, range.high * k_beside_room};
}

std::string beside_description(const Beside& beside, std::size_t series) {
  auto text = fmt::format("Excess over {}, relative to {}: as somebody else published it, and ours.",
                          quoted(beside.floor), quoted(beside.baseline));
  for (const auto& row : beside.rows) {
    text += fmt::format(" {}:", row.label);
    for (std::size_t i = 0; i < series; ++i) {
      const auto& one = k_beside_series[i];
      const auto value = one.excess(row);
      text += fmt::format("{} {} {}", i == 0 ? "" : ",", one.name,
                          value ? excess_in_words(*value) : "blank (" + one.blank_because(row) + ")");
    }
    text += ".";
  }
  return text;
}

std::string published_description(const spec::Published& study) {
  auto text = fmt::format("Published by {}, {}: bars of the seconds of each scenario.", printable_line(study.author),
                          printable_line(study.date));
  for (const auto& time : study.scenarios) {
    text += fmt::format(" {}: {}.", printable_line(time.scenario), published_seconds(time.seconds));
  }
  return text;
}

Chart published_bars(const spec::Published& study) {
  std::vector<std::string> labels;
  double longest = 0;
  for (const auto& time : study.scenarios) {
    labels.push_back(printable_line(time.scenario));
    longest = std::max(longest, time.seconds);
  }
  const int left = label_room(labels);
  Plot plot(k_chart_width, static_cast<int>(labels.size()), k_published_bar,
            {.left = left, .right = 150, .top = 8, .bottom = 56});
  plot.line(fmt::format("set xrange [0:{:.10g}]", longest * 1.03));
  plot.line(fmt::format("set xlabel 'seconds' offset 0,0.4 textcolor rgb '{}'", colour("muted")));
  double row = 0;
  for (const auto& time : study.scenarios) {
    row += 1;
    plot.text_beside(left - k_label_gap, row, labels[static_cast<std::size_t>(row) - 1], k_label_columns, Align::right,
                     colour("ink"));
    plot.text_beside(k_chart_width - k_label_gap, row, published_seconds(time.seconds), 24, Align::right,
                     colour("ink"));
    plot.layer({{0, row, 0, time.seconds, row - 0.34, row + 0.34}},
               fmt::format("using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}'",
                           time.scenario == study.baseline ? colour("undecided") : colour("reference")));
  }
  Chart chart;
  chart.name = "published";
  chart.title = "Published time by scenario";
  chart.description = published_description(study);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace

std::string published_seconds(double seconds) {
  auto words = fmt::format("{:.10g} s", seconds);
  if (seconds >= 60) words += fmt::format(" ({})", clock_time(Seconds(seconds)));
  return words;
}

std::string excess_in_words(double excess) {
  const auto size = number(std::abs(excess), 2);
  if (size.find_first_of("123456789") == std::string::npos) return "0";
  return (excess < 0 ? "−" : "") + size;
}

std::string method_in_words(const spec::PublishedFile& file) {
  const auto method = printable_line(file.method);
  return file.block ? fmt::format("{}, blocks of {}", method, exact(*file.block)) : method;
}

std::vector<CreationSeries> creation_series(const std::vector<spec::PublishedFile>& files) {
  std::vector<CreationSeries> all;
  for (const auto& file : files) {
    const auto method = method_in_words(file);
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.method == method; });
    auto& series = found == all.end() ? all.emplace_back(CreationSeries{method, {}}) : *found;
    series.points.push_back({file.size.count, file.real_s});
  }
  return all;
}

Chart beside_chart(const Beside& beside) {
  const std::size_t series = beside.drive_times ? 3 : 2;
  const int height = static_cast<int>(series) * k_beside_bar + k_beside_gap;
  const double step = static_cast<double>(k_beside_bar) / height;  // of one row
  std::vector<std::string> labels;
  for (const auto& row : beside.rows) labels.push_back(row.label);
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < series; ++i) entries.push_back({k_beside_series[i].name, k_beside_series[i].paint});
  const int left = label_room(labels);
  const int above = 8 + legend_height(entries.size(), k_chart_width, left, 20);
  Plot plot(k_chart_width, static_cast<int>(labels.size()), height,
            {.left = left, .right = 16, .top = above, .bottom = 60});
  const auto range = range_beside(beside, series);
  plot.line(fmt::format("set xrange [{:.10g}:{:.10g}]", range.low, range.high));
  plot.line(fmt::format(
      "set xlabel {} offset 0,0.4 textcolor rgb '{}'",
      gnuplot_string(fmt::format("excess over {}; {} is 1", quoted(beside.floor), quoted(beside.baseline)), 80),
      colour("muted")));
  plot.line(legend(entries, plot.width(), plot.height(), left, 2, 20));
  for (const double at : {0.0, 1.0}) {
    plot.line(fmt::format("set arrow from {0}, graph 0 to {0}, graph 1 nohead back linewidth 1.5 linecolor rgb '{1}'",
                          at, colour("muted")));
  }
  const double gap = k_beside_offset * (range.high - range.low);
  for (std::size_t i = 0; i < beside.rows.size(); ++i) {
    const double middle = static_cast<double>(i) + 1;
    plot.text_beside(left - k_label_gap, middle, labels[i], k_label_columns, Align::right, colour("ink"));
    for (std::size_t k = 0; k < series; ++k) {
      const auto& one = k_beside_series[k];
      const double row = middle + (static_cast<double>(k) - static_cast<double>(series - 1) / 2) * step;
      const auto value = one.excess(beside.rows[i]);
      if (!value) {
        const auto& why = one.blank_because(beside.rows[i]);
        const bool said = k > 1 && why == k_beside_series[k - 1].blank_because(beside.rows[i]);
        const auto* paint = beside.rows[i].own.empty() ? colour("muted") : colour("slower");
        if (!said) plot.text_at(gap, row, why, k_beside_columns, Align::left, paint);
        continue;
      }
      plot.layer({{0, row, std::min(0.0, *value), std::max(0.0, *value), row - 0.42 * step, row + 0.42 * step}},
                 fmt::format("using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}'", one.paint));
      plot.text_at(std::max(0.0, *value) + gap, row, excess_in_words(*value), 12, Align::left, colour("ink"));
    }
  }
  Chart chart;
  chart.name = "published";
  chart.title = "Excess beside the published one";
  chart.description = beside_description(beside, series);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

std::optional<Chart> published_chart(const spec::Published& study) {
  if (study.kind == spec::PublishedKind::scenarios) return published_bars(study);
  return creation_chart("published", "Published time of making a swap file", creation_series(study.files));
}

std::optional<Chart> reference_chart(const Subject& subject, const Findings& findings) {
  if (const auto beside = beside_published(subject, findings)) return beside_chart(*beside);
  const auto& reference = subject.experiment.reference;
  return reference ? published_chart(reference->study) : std::nullopt;
}

}  // namespace swaprig::report
