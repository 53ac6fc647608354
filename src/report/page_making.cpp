#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "base/wire.hpp"
#include "report/making_charts.hpp"
#include "report/page_parts.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

Tree cell_tree(const std::string& text, const std::string& detail = {}) {
  Tree cell;
  cell.set("text", text);
  cell.set("detail", detail);
  cell.set("has_detail", !detail.empty());
  return cell;
}

/// With hard spaces: a range that has to take two lines is parted between its ends alone.
std::string unbroken(const std::string& text) { return join(split(text, ' '), "\u00a0"); }

/// The median, and from which to which single timing it went.
Tree time_cell(const MadeFile* file) {
  if (file == nullptr) return cell_tree(k_nothing);
  if (!file->unsupported.empty()) return cell_tree("unsupported");
  if (!file->seconds) return cell_tree(k_nothing);
  if (file->timings < 2) return cell_tree(short_time(*file->seconds));
  return cell_tree(short_time(*file->seconds),
                   fmt::format("{} to {}", unbroken(short_time(file->fastest)), unbroken(short_time(file->slowest))));
}

std::string basis_in_words(const stats::Growth& growth) {
  switch (growth.basis) {
    case stats::GrowthBasis::boots:
      return counted(growth.boots, "boot");
    case stats::GrowthBasis::points:
      return counted(growth.observations, "point");
    case stats::GrowthBasis::none:
      break;
  }
  return "too few for an interval";
}

Tree line_row(const Making& making, const MakingLine& line) {
  Tree row;
  row.set("name", line.label);
  row.set("control", line.control);
  std::vector<Tree> cells;
  for (const auto size : making.sizes) cells.push_back(time_cell(line.of_size(size)));
  put_list(row, "cells", cells);
  return row;
}

/// Of the lines that have one: a table of its own, since a column more makes the one of the times wider than a page.
std::vector<Tree> growth_rows(const Making& making) {
  std::vector<Tree> rows;
  for (const auto& line : making.lines) {
    if (!line.growth) continue;
    Tree row;
    row.set("name", line.label);
    row.set("control", line.control);
    row.set("exponent", exponent_in_words(*line.growth));
    row.set("basis", basis_in_words(*line.growth));
    rows.push_back(row);
  }
  return rows;
}

Tree ratio_row(const Making& making, bool durable) {
  const auto ratios = making.ratios(durable);
  Tree row;
  row.set("name", std::string("dd / fallocate") + (durable ? ", fsync" : ""));
  row.set("control", false);
  std::vector<Tree> cells;
  for (const auto size : making.sizes) {
    const auto found =
        std::find_if(ratios.begin(), ratios.end(), [&](const MakingRatio& ratio) { return ratio.size == size; });
    cells.push_back(found == ratios.end()
                        ? cell_tree(k_nothing)
                        : cell_tree(figure_in_words(found->ratio()) + " ×", unbroken(exact(Bytes{found->block})) + " blocks"));
  }
  put_list(row, "cells", cells);
  return row;
}

std::string control_in_words(const Making& making) {
  if (!making.control_s) return "not measured";
  return fmt::format("{} ({} to {})", short_time(*making.control_s), short_time(making.control_fastest),
                     short_time(making.control_slowest));
}

Tree making_tree(const Making& making, const std::vector<DrawnChart>& charts) {
  Tree tree;
  tree.set("making", making.label);
  tree.set("file_system", making.file_system);
  tree.set("runs", counted(making.runs, "valid run"));
  tree.set("blank", !making.blank_because.empty());
  tree.set("why", making.blank_because);
  std::vector<Tree> sizes;
  for (const auto size : making.sizes) sizes.emplace_back(exact(Bytes{size}));
  put_list(tree, "sizes", sizes);
  std::vector<Tree> lines;
  for (const auto& line : making.lines) lines.push_back(line_row(making, line));
  for (const bool durable : {false, true}) {
    if (!making.ratios(durable).empty()) lines.push_back(ratio_row(making, durable));
  }
  put_list(tree, "lines", lines);
  put_list(tree, "growths", growth_rows(making));
  tree.set("control_time", control_in_words(making));
  tree.set("chart_making", chart_named(charts, making_time_chart_name(making)));
  return tree;
}

/// What the largest file of each way cost the processor.
void add_cost_rows(const Making& making, std::vector<Tree>& rows) {
  for (const auto& line : making.lines) {
    const auto largest = std::find_if(line.files.rbegin(), line.files.rend(), [](const auto& file) { return file.seconds; });
    if (largest == line.files.rend()) continue;
    Tree row;
    row.set("making", making.label);
    row.set("name", line.label);
    row.set("size", exact(Bytes{largest->size}));
    row.set("real", short_time(*largest->seconds));
    row.set("user", short_time(*largest->user));
    row.set("sys", short_time(*largest->sys));
    row.set("timings", fmt::format("{} in {}", largest->timings, counted(static_cast<int>(largest->observations.size()), "boot")));
    rows.push_back(row);
  }
}

void put_rates(Tree& tree, const std::vector<Making>& makings) {
  std::set<std::uint64_t> blocks;
  for (const auto& making : makings) {
    for (const bool durable : {false, true}) {
      for (const auto& rate : dd_rates(making, durable)) blocks.insert(rate.block);
    }
  }
  std::vector<Tree> heads;
  for (const auto block : blocks) heads.emplace_back(exact(Bytes{block}));
  std::vector<Tree> rows;
  for (const auto& making : makings) {
    for (const bool durable : {false, true}) {
      const auto rates = dd_rates(making, durable);
      if (rates.empty()) continue;
      std::vector<Tree> cells;
      for (const auto block : blocks) {
        const auto found =
            std::find_if(rates.begin(), rates.end(), [&](const DdRate& rate) { return rate.block == block; });
        cells.emplace_back(found == rates.end() ? k_nothing : figure_in_words(found->bytes_per_s / (1024.0 * 1024.0)));
      }
      Tree row;
      row.set("name", making.label + (durable ? ", fsync" : ""));
      put_list(row, "cells", cells);
      rows.push_back(row);
    }
  }
  put_list(tree, "rate_blocks", heads);
  put_list(tree, "rates", rows);
}

}  // namespace

void put_makings(Tree& tree, const Findings& findings, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> makings;
  std::vector<Tree> costs;
  for (const auto& making : findings.makings) {
    makings.push_back(making_tree(making, charts));
    add_cost_rows(making, costs);
  }
  put_list(tree, "makings", makings);
  put_list(tree, "making_costs", costs);
  put_rates(tree, findings.makings);
  tree.set("chart_making_rate", chart_named(charts, k_rate_chart));
  tree.set("chart_making_ratio", chart_named(charts, k_ratio_chart));
}

}  // namespace swaprig::report
