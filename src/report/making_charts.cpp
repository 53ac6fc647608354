#include "report/making_charts.hpp"

#include "base/text.hpp"
#include "base/wire.hpp"
#include "report/creation_chart.hpp"

namespace swaprig::report {

namespace {

constexpr double k_making_mib = 1024.0 * 1024.0;

std::vector<CreationPoint> points_of(const MakingLine& line) {
  std::vector<CreationPoint> points;
  for (const auto& file : line.files) {
    if (file.seconds) points.push_back({file.size, *file.seconds});
  }
  return points;
}

/// Each way, and dashed behind it the same with fsync.
std::optional<Chart> time_chart(const Making& making) {
  std::vector<CreationSeries> series;
  const bool both = making.has(false) && making.has(true);
  for (const auto& line : making.lines) {
    if (both && line.durable) continue;
    series.push_back({line.label, points_of(line)});
    const auto* durable = both ? making.line(line.method, line.block, true) : nullptr;
    if (durable != nullptr) series.push_back({durable->label, points_of(*durable), true});
  }
  return creation_chart(making_time_chart_name(making), "Making a swap file on " + making.label, series);
}

/// A line for each file system; dashed behind it the same with fsync.
template <typename Points>
std::vector<CreationSeries> by_file_system(const std::vector<Making>& makings, Points points) {
  std::vector<CreationSeries> series;
  for (const auto& making : makings) {
    const bool plain = making.has(false);
    if (plain) series.push_back({making.label, points(making, false)});
    if (making.has(true)) series.push_back({making.label + ", fsync", points(making, true), plain});
  }
  return series;
}

std::optional<Chart> rate_chart(const std::vector<Making>& makings) {
  const auto series = by_file_system(makings, [](const Making& making, bool durable) {
    std::vector<CreationPoint> points;
    for (const auto& rate : dd_rates(making, durable)) points.push_back({rate.block, rate.bytes_per_s / k_making_mib});
    return points;
  });
  return creation_chart(k_rate_chart, "Rate of dd by its block size", series,
                        {.across = "block size of dd",
                         .up = "MiB/s",
                         .what = "Rate at which dd wrote the largest file, in MiB/s, against its block size, a line for "
                                 "each file system.",
                         .joint = " at ",
                         .unit = " MiB/s"});
}

std::optional<Chart> ratio_chart(const std::vector<Making>& makings) {
  const auto series = by_file_system(makings, [](const Making& making, bool durable) {
    std::vector<CreationPoint> points;
    for (const auto& ratio : making.ratios(durable)) points.push_back({ratio.size, ratio.ratio()});
    return points;
  });
  return creation_chart(k_ratio_chart, "How many times as long dd takes as fallocate", series,
                        {.across = "size of the swap file",
                         .up = "dd / fallocate",
                         .what = "Time of dd with its fastest block size divided by the time of fallocate, against the "
                                 "size of the file, a line for each file system.",
                         .joint = ": ",
                         .unit = " times"});
}

}  // namespace

std::string making_time_chart_name(const Making& making) { return "making-time-" + slug(making.name); }

std::vector<Chart> making_charts(const std::vector<Making>& makings) {
  std::vector<Chart> charts;
  for (const auto& making : makings) {
    if (auto chart = time_chart(making)) charts.push_back(std::move(*chart));
  }
  for (auto chart : {rate_chart(makings), ratio_chart(makings)}) {
    if (chart) charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace swaprig::report
