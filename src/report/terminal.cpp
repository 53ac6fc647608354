#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "report/columns.hpp"
#include "report/findings.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr int k_name_columns = 36;

enum class Tint { none, bold, warning, good, bad, faint };

const char* code_of(Tint tint) {
  switch (tint) {
    case Tint::none:
      return "";
    case Tint::bold:
      return "\x1b[1m";
    case Tint::warning:
      return "\x1b[33m";
    case Tint::good:
      return "\x1b[32m";
    case Tint::bad:
      return "\x1b[31m";
    case Tint::faint:
      return "\x1b[2m";
  }
  return "";
}

struct Cell {
  std::string text;
  Tint tint = Tint::none;
};

using Row = std::vector<Cell>;

Tint tint_of(const Arm& arm) {
  if (!arm.summary) return Tint::bad;
  if (!arm.comparison || arm.position_only) return Tint::faint;
  if (arm.comparison->word == stats::Word::faster) return Tint::good;
  return arm.comparison->word == stats::Word::slower ? Tint::bad : Tint::none;
}

std::string ratio_of(const Arm& arm) {
  if (arm.baseline && arm.summary) return ratio_in_words(0);
  if (!arm.comparison || arm.comparison->pairs == 0) return k_nothing;
  return ratio_in_words(arm.comparison->effect);
}

std::string drive_time_of(const Arm& arm) {
  const auto seconds = arm.drive_time_s();
  return seconds ? figure_in_words(*seconds) + " s" : std::string();
}

/// What the drives were busy stands behind the score when any of them has it.
Row with_drive_time(Row row, Cell cell) {
  row.insert(row.begin() + 2, std::move(cell));
  return row;
}

Row terminal_row(const Arm& arm) {
  const bool timed = arm.summary.has_value();
  const auto median = timed ? seconds_in_words(arm.summary->median, decimals_for(*arm.summary)) : k_nothing;
  return {{shortened(arm.label, k_name_columns)},
          {score_in_words(arm), Tint::bold},
          {median},
          {fmt::format("{}/{}", arm.times.size(), arm.planned)},
          {traffic_in_words(arm.swapped_in_bytes)},
          {traffic_in_words(arm.swapped_out_bytes)},
          {ratio_of(arm)},
          {timed ? verdict_in_words(arm) : "no valid run: " + arm.blank_because, tint_of(arm)}};
}

class Table {
 public:
  explicit Table(bool colour) : m_colour(colour) {}

  void add(Row row) {
    m_widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) m_widths[i] = std::max(m_widths[i], columns_of(row[i].text));
    m_rows.push_back(std::move(row));
  }

  /// The first and the last column to the left, the numbers between them to the right.
  std::string text() const {
    std::string all;
    for (const auto& row : m_rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool last = i + 1 == row.size();
        const auto cell = last     ? row[i].text
                          : i == 0 ? left_aligned(row[i].text, m_widths[i])
                                   : right_aligned(row[i].text, m_widths[i]);
        all += (i == 0 ? "" : "  ") + tinted(cell, row[i].tint);
      }
      all += "\n";
    }
    return all;
  }

  /// Terminal columns of the widest row.
  int columns() const {
    int sum = 0;
    for (const int width : m_widths) sum += width;
    return sum + 2 * static_cast<int>(std::max<std::size_t>(m_widths.size(), 1) - 1);
  }

  std::string tinted(const std::string& text, Tint tint) const {
    if (!m_colour || tint == Tint::none) return text;
    return code_of(tint) + text + "\x1b[0m";
  }

 private:
  bool m_colour;
  std::vector<Row> m_rows;
  std::vector<int> m_widths;
};

Row heading(const Findings& findings) {
  return {{"scenario", Tint::faint},   {findings.score_words, Tint::faint},
          {"median", Tint::faint},     {"valid", Tint::faint},
          {"swapped in", Tint::faint}, {"out", Tint::faint},
          {"ratio", Tint::faint},      {"verdict", Tint::faint}};
}

Table table_of(const Findings& findings, bool colour, bool drive_time) {
  Table table(colour);
  table.add(drive_time ? with_drive_time(heading(findings), {"drive", Tint::faint}) : heading(findings));
  for (const auto& arm : findings.arms) {
    table.add(drive_time ? with_drive_time(terminal_row(arm), {drive_time_of(arm)}) : terminal_row(arm));
  }
  return table;
}

/// With the drives' time where there is any and it fits.
Table fitting_table(const Findings& findings, bool colour) {
  constexpr int k_most_columns = 100;
  const bool any = std::any_of(findings.arms.begin(), findings.arms.end(),
                               [](const Arm& arm) { return arm.drive_time_s().has_value(); });
  if (any) {
    auto table = table_of(findings, colour, true);
    if (table.columns() <= k_most_columns) return table;
  }
  return table_of(findings, colour, false);
}

std::string growth_cell(const MakingLine* line) {
  return line != nullptr && line->growth ? exponent_in_words(*line->growth) : k_nothing;
}

/// One row a file system, with and without fsync: its largest file.
Table makings_table(const Findings& findings, bool colour) {
  Table table(colour);
  table.add({{"scenario", Tint::faint},
             {"size", Tint::faint},
             {"fallocate", Tint::faint},
             {"dd", Tint::faint},
             {"times", Tint::faint},
             {"growth of fallocate", Tint::faint},
             {"growth of dd", Tint::faint}});
  for (const auto& making : findings.makings) {
    for (const bool durable : {false, true}) {
      const auto ratios = making.ratios(durable);
      if (ratios.empty()) continue;
      const auto& last = ratios.back();
      table.add({{shortened(making.label, k_name_columns) + (durable ? ", fsync" : "")},
                 {exact(Bytes{last.size})},
                 {short_time(last.fallocate_s), Tint::bold},
                 {short_time(last.dd_s), Tint::bold},
                 {figure_in_words(last.ratio())},
                 {growth_cell(making.line("fallocate", 0, durable))},
                 {growth_cell(making.line("dd", last.block, durable))}});
    }
  }
  return table;
}

}  // namespace

std::string summary_table(const Subject& subject, bool colour) {
  const auto findings = find(subject);
  const auto table = findings.makings.empty() ? fitting_table(findings, colour) : makings_table(findings, colour);
  std::string text;
  for (const auto& banner : findings.banners) {
    text += table.tinted(banner.title + ":", Tint::warning) + " " + banner.text + "\n";
  }
  if (!text.empty()) text += "\n";
  text += table.text() + "\n" + findings.answer + "\n";
  if (findings.makings.empty()) return text;
  for (const auto& note : findings.notes) text += note + "\n";
  return text;
}

}  // namespace swaprig::report
