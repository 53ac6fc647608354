#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/chart.hpp"
#include "report/columns.hpp"
#include "report/drive_view.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_right_margin = 20;
constexpr int k_strip_height = 40;
constexpr int k_bins = 240;
constexpr double k_least_width = 1.0 / 400;  // of the drive: what is drawn narrower cannot be seen

/// Offsets on the axis in one unit for the whole drive.
struct Axis {
  double unit = 1;
  const char* name = "B";
  double length = 0;

  double at(double bytes) const { return bytes / unit; }
};

Axis axis_of(Bytes size) {
  const auto bytes = static_cast<double>(size.count);
  const double unit = size >= gib(4096) ? std::exp2(40) : size >= gib(4) ? std::exp2(30) : std::exp2(20);
  return {unit, size >= gib(4096) ? "TiB" : size >= gib(4) ? "GiB" : "MiB", bytes / unit};
}

std::vector<double> box(const Axis& axis, double offset, double size, double row, double reach) {
  const double from = axis.at(offset);
  const double to = from + std::max(axis.at(size), axis.length * k_least_width);
  return {from, row, from, to, row - reach, row + reach};
}

constexpr const char* k_box_style = "using 1:2:3:4:5:6 with boxxyerror";

void draw_partitions(Plot& plot, const DriveView& view, const Axis& axis, double row, int px) {
  std::vector<std::vector<double>> file_systems;
  std::vector<std::vector<double>> swaps;
  for (const auto& partition : view.layout.partitions) {
    const auto offset = static_cast<double>(partition.offset.count);
    const auto size = static_cast<double>(partition.size.count);
    auto& list = partition.type == spec::PartitionType::swap ? swaps : file_systems;
    list.push_back(box(axis, offset, size, row, 0.32));
    const auto name = printable_line(partition.name);
    const double room = axis.at(size) / axis.length * px;
    if (room >= 8.0 * columns_of(name) + 8) {
      plot.text_at(axis.at(offset + size / 2), row, name, k_label_columns, Align::centre, colour("ink"));
    }
  }
  const auto frame = fmt::format("{} fillstyle solid 1.0 border rgb '{}' fillcolor rgb ", k_box_style, colour("muted"));
  plot.layer(file_systems, frame + fmt::format("'{}'", colour("part")));
  plot.layer(swaps, frame + fmt::format("'{}'", colour("band")));
}

/// Share of each bin that the files fill, scaled to the fullest one.
std::vector<double> density(const DriveView& view) {
  std::vector<double> bins(k_bins, 0);
  const double width = static_cast<double>(view.layout.drive_size.count) / k_bins;
  for (const auto& range : view.root_data) {
    const auto from = static_cast<double>(range.offset_bytes);
    const double end = from + static_cast<double>(range.size_bytes);
    for (auto bin = static_cast<std::size_t>(from / width); bin < bins.size(); ++bin) {
      const double bin_start = static_cast<double>(bin) * width;
      if (bin_start >= end) break;
      bins[bin] += std::max(0.0, std::min(end, bin_start + width) - std::max(from, bin_start));
    }
  }
  const double fullest = *std::max_element(bins.begin(), bins.end());
  if (fullest > 0) {
    for (double& bin : bins) bin /= fullest;
  }
  return bins;
}

void draw_density(Plot& plot, const DriveView& view, const Axis& axis, double row) {
  const auto bins = density(view);
  const double width = axis.length / k_bins;
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] <= 0) continue;
    const double from = static_cast<double>(i) * width;
    columns.push_back({from, row, from, from + width, row + 0.4 - 0.76 * std::max(bins[i], 0.06), row + 0.4});
  }
  plot.layer(columns, fmt::format("{} fillstyle solid 1.0 noborder linecolor rgb '{}'", k_box_style, colour("data")));
}

void draw_swap(Plot& plot, const DriveSwap& swap, const Axis& axis, double row) {
  std::vector<std::vector<double>> boxes;
  for (const auto& extent : swap.extents) {
    boxes.push_back(
        box(axis, static_cast<double>(extent.offset_bytes), static_cast<double>(extent.size_bytes), row, 0.26));
  }
  plot.layer({{0, row, axis.length, 0}},
             fmt::format("using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '{}'", colour("grid")));
  plot.layer(boxes, fmt::format("{} fillstyle solid 1.0 noborder linecolor rgb '{}'", k_box_style, colour("swap")));
  if (boxes.empty()) plot.text_at(0, row, "not placed in any run", 40, Align::left, colour("muted"));
}

std::string drive_description(const DriveView& view) {
  std::string text = fmt::format("Drive of {} from its start to its end.", rounded(view.layout.drive_size));
  for (const auto& partition : view.layout.partitions) {
    text += fmt::format(" Partition {} from {}, {} long.", printable_line(partition.name), rounded(partition.offset),
                        rounded(partition.size));
  }
  for (const auto& swap : view.swaps) {
    text +=
        fmt::format(" {}: {} in {}.", swap.arm, swap.where, counted(static_cast<int>(swap.extents.size()), "extent"));
  }
  return text;
}

Chart drive_chart(const DriveView& view) {
  std::vector<std::string> labels;
  for (const auto& swap : view.swaps) labels.push_back(swap.arm);
  const int left = label_room(labels);
  const auto axis = axis_of(view.layout.drive_size);
  const bool with_data = !view.root_data.empty();
  const int rows = 1 + static_cast<int>(with_data) + static_cast<int>(view.swaps.size());

  Plot plot(k_chart_width, rows, k_strip_height, {.left = left, .right = k_right_margin, .top = 8, .bottom = 58});
  plot.line(fmt::format("set xrange [0:{:.10g}]", axis.length));
  plot.line(fmt::format("set xlabel '{} from the start of the drive' offset 0,0.4 textcolor rgb '{}'", axis.name,
                        colour("muted")));
  const auto name_row = [&](double row, const std::string& text, const char* paint) {
    plot.text_beside(left - k_label_gap, row, text, k_label_columns, Align::right, paint);
  };
  double row = 1;
  name_row(row, "partitions", colour("muted"));
  draw_partitions(plot, view, axis, row, k_chart_width - left - k_right_margin);
  if (with_data) {
    row += 1;
    name_row(row, "the root’s files", colour("muted"));
    draw_density(plot, view, axis, row);
  }
  for (const auto& swap : view.swaps) {
    row += 1;
    name_row(row, swap.arm, colour("ink"));
    draw_swap(plot, swap, axis, row);
  }

  Chart chart;
  chart.name = "drive-" + slug(view.name);
  chart.title = fmt::format("Drive {}", quoted(printable_line(view.name)));
  chart.description = drive_description(view);
  chart.width = plot.width();
  chart.height = plot.height();
  chart.script = plot.script();
  return chart;
}

}  // namespace

std::vector<Chart> drive_charts(const Subject& subject, const Findings& findings) {
  std::vector<Chart> charts;
  for (const auto& view : drive_views(subject, findings)) charts.push_back(drive_chart(view));
  return charts;
}

}  // namespace swaprig::report
