#pragma once

// Charts by gnuplot: pure builders of scripts, one command for each picture, and SVG made fit for the page.

#include <optional>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "report/findings.hpp"

namespace swaprig::report {

struct Chart {
  std::string name;  ///< file stem under charts/ and prefix of its ids: [a-z0-9-]
  std::string title;
  std::string description;  ///< for those who cannot see it
  int width = 0;            ///< of the drawing, in px
  int height = 0;
  std::string script;  ///< gnuplot, without terminal and output
};

enum class Picture { svg, png };

/// gnuplot reads the script from stdin and writes the picture to stdout; no user's settings.
Command gnuplot_command(const Chart& chart, Picture picture);

/// One bar an arm, every run a dot, best and median marked.
Chart score_chart(const Findings& findings);

/// Ratios to the baseline with their 95 % intervals and the band of what does not matter; nothing without a comparison.
std::optional<Chart> difference_chart(const Findings& findings);

/// One for each drive: partitions, swap areas by arm, density of the root's data.
std::vector<Chart> drive_charts(const Subject& subject, const Findings& findings);

/// Stacked bars: the time of the simulated drives that each scenario swaps to; nothing without such a drive.
std::optional<Chart> drive_time_chart(const Findings& findings);

/// Memory, swap and swap rates over the time of the runs that give the scores; nothing without a run of two samples.
std::optional<Chart> course_chart(const Findings& findings);

/// Every run's seconds against its place in the order of the runs; nothing without a run.
std::optional<Chart> order_chart(const Subject& subject, const Findings& findings);

std::vector<Chart> charts_of(const Subject& subject, const Findings& findings);

/// A text as gnuplot's single-quoted string, in which nothing is expanded; one line, at most `columns` wide.
std::string gnuplot_string(const std::string& text, int columns);

struct DrawnChart {
  Chart chart;
  std::string inline_svg;  ///< for the page: classes instead of colours; empty when it failed
  std::string svg;         ///< a file of its own
  std::string png;
  std::string fault;  ///< why something of it is missing; empty when all is there
};

/// Never throws because of gnuplot: a chart that fails carries its fault, the others are drawn.
std::vector<DrawnChart> draw(const std::vector<Chart>& charts, CommandRunner& commands);

}  // namespace swaprig::report
