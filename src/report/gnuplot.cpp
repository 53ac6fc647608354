#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "report/chart.hpp"
#include "report/columns.hpp"
#include "report/making_charts.hpp"
#include "report/published_chart.hpp"
#include "report/svg.hpp"

namespace swaprig::report {

namespace {

constexpr std::chrono::seconds k_patience{60};

std::string terminal(const Chart& chart, Picture picture) {
  if (picture == Picture::svg) {
    return fmt::format("set terminal svg size {},{} dynamic font 'sans-serif,14' noenhanced\n", chart.width,
                       chart.height);
  }
  // Twice the size, for screens and print.
  return fmt::format(
      "set terminal pngcairo size {},{} font 'sans-serif,14' fontscale 1.5 linewidth 2 pointscale 2 noenhanced\n",
      2 * chart.width, 2 * chart.height);
}

std::string fault_of(const Chart& chart, const char* picture, const std::string& why) {
  return fmt::format("chart {} ({}) could not be drawn: {}", chart.name, picture, why);
}

/// The picture, or nothing and the reason.
std::string picture_of(const Chart& chart, Picture picture, CommandRunner& commands, std::string& fault) {
  const char* kind = picture == Picture::svg ? "SVG" : "PNG";
  try {
    const auto result = commands.run(gnuplot_command(chart, picture));
    if (result.status == 0 && !result.timed_out && !result.out.empty()) return result.out;
    const auto words = trim(result.err);
    fault = fault_of(chart, kind,
                     result.timed_out ? "gnuplot ran out of time"
                     : words.empty()  ? fmt::format("gnuplot ended with status {}", result.status)
                                      : printable_line(words));
  } catch (const CommandError& error) {
    fault = fault_of(chart, kind, printable_line(error.what()));
  }
  return {};
}

DrawnChart draw_one(const Chart& chart, CommandRunner& commands) {
  DrawnChart drawn{.chart = chart, .inline_svg = {}, .svg = {}, .png = {}, .fault = {}};
  const auto svg = picture_of(chart, Picture::svg, commands, drawn.fault);
  if (svg.empty()) return drawn;
  try {
    drawn.inline_svg = adapt_svg(svg, chart, SvgUse::in_page);
    drawn.svg = adapt_svg(svg, chart, SvgUse::own_file);
  } catch (const Error& error) {
    drawn.fault = error.what();
    return drawn;
  }
  drawn.png = picture_of(chart, Picture::png, commands, drawn.fault);
  return drawn;
}

}  // namespace

Command gnuplot_command(const Chart& chart, Picture picture) {
  Command command;
  command.program = "gnuplot";
  command.arguments = {"--default-settings", "-"};
  command.input = terminal(chart, picture) + "set encoding utf8\n" + chart.script;
  command.timeout = k_patience;
  return command;
}

std::string gnuplot_string(const std::string& text, int columns) {
  std::string result = "'";
  for (const char c : shortened(printable_line(text), columns)) {
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::vector<Chart> charts_of(const Subject& subject, const Findings& findings) {
  auto charts = making_charts(findings.makings);
  if (findings.makings.empty()) {
    charts.push_back(score_chart(findings));
    if (auto differences = difference_chart(findings)) charts.push_back(std::move(*differences));
  }
  if (auto published = reference_chart(subject, findings)) charts.push_back(std::move(*published));
  for (auto& chart : drive_charts(subject, findings)) charts.push_back(std::move(chart));
  for (auto chart : {drive_time_chart(findings), course_chart(findings), order_chart(subject, findings)}) {
    if (chart) charts.push_back(std::move(*chart));
  }
  return charts;
}

std::vector<DrawnChart> draw(const std::vector<Chart>& charts, CommandRunner& commands) {
  std::vector<DrawnChart> drawn;
  const bool installed = commands.find("gnuplot").has_value();
  for (const auto& chart : charts) {
    if (installed) {
      drawn.push_back(draw_one(chart, commands));
    } else {
      drawn.push_back({.chart = chart, .inline_svg = {}, .svg = {}, .png = {}, .fault = "gnuplot is not installed"});
    }
  }
  return drawn;
}

}  // namespace swaprig::report
