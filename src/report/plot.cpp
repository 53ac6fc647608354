#include "report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/chart.hpp"
#include "report/columns.hpp"
#include "report/palette.hpp"

namespace swaprig::report {

namespace {

const char* word(Align align) {
  switch (align) {
    case Align::left:
      return "left";
    case Align::centre:
      return "center";
    case Align::right:
      return "right";
  }
  return "left";
}

std::string label(const std::string& place, const std::string& text, int columns, Align align, const char* colour) {
  return fmt::format("set label {} at {} {} front textcolor rgb '{}'", gnuplot_string(text, columns), place,
                     word(align), colour);
}

}  // namespace

int label_room(const std::vector<std::string>& labels) {
  constexpr double k_px_a_column = 7.6;  // of the 14 px font, generous
  int columns = 12;
  for (const auto& one : labels) columns = std::max(columns, std::min(columns_of(one), k_label_columns));
  return static_cast<int>(columns * k_px_a_column) + 2 * k_label_gap;
}

namespace {

constexpr int k_legend_line = 22;  // px
constexpr int k_legend_mark = 24;  // px, the mark and the gap behind an entry
constexpr double k_px_a_legend_column = 7.6;

int legend_entry_width(int columns) { return static_cast<int>(columns * k_px_a_legend_column) + k_legend_mark; }

std::size_t legend_columns(int width, int left, int columns) {
  return static_cast<std::size_t>(std::max(1, (width - left) / legend_entry_width(columns)));
}

}  // namespace

std::string legend(const std::vector<LegendEntry>& entries, int width, int height, int left, int top, int columns) {
  const auto across = legend_columns(width, left, columns);
  std::string script;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const double x = left + 8 + static_cast<double>(i % across) * legend_entry_width(columns);
    const double y = top + k_legend_line / 2.0 + static_cast<double>(i / across) * k_legend_line;
    script += fmt::format(
        "set label {} at screen {:.4f}, screen {:.4f} left front point pointtype {} pointsize 1.1 linecolor rgb '{}' "
        "offset 1.3,-0.25 textcolor rgb '{}'\n",
        gnuplot_string(entry.text, columns), x / width, 1 - y / height, entry.point_type, entry.colour, colour("ink"));
  }
  return script;
}

int legend_height(std::size_t entries, int width, int left, int columns) {
  const auto across = legend_columns(width, left, columns);
  return static_cast<int>((entries + across - 1) / across) * k_legend_line;
}

double round_step(double most, int steps) {
  if (!(most > 0) || steps < 1) return 1;
  const double least = most / steps;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string logarithmic_tics(double low, double high) {
  const std::vector<double> factors = high > low * 1e4 ? std::vector<double>{1.0} : std::vector<double>{1.0, 2.0, 5.0};
  std::vector<std::string> tics;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double factor : factors) {
      const double value = factor * power;
      if (value < low || value > high) continue;
      // Beneath a tenth of a thousandth the short form would have an exponent.
      const auto text = value < 1e-4
                            ? fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(power) - 1e-9)))
                            : fmt::format("{:.6g}", value);
      tics.push_back(fmt::format("'{}' {:.6g}", text, value));
    }
  }
  return "(" + join(tics, ", ") + ")";
}

Plot::Plot(int width, int rows, int row_height, Margins margins)
    : m_width(width), m_height(margins.top + rows * row_height + margins.bottom) {
  const auto across = [this](int px) { return static_cast<double>(px) / m_width; };
  const auto down = [this](int px) { return static_cast<double>(px) / m_height; };
  line("unset key");
  line("set border 0");
  line("unset ytics");
  line(fmt::format("set xtics scale 0 nomirror textcolor rgb '{}'", colour("muted")));
  line(fmt::format("set grid xtics back linetype 1 linewidth 1 linecolor rgb '{}'", colour("grid")));
  line("set style fill solid 1.0 noborder");
  line(fmt::format("set lmargin at screen {:.4f}", across(margins.left)));
  line(fmt::format("set rmargin at screen {:.4f}", 1 - across(margins.right)));
  line(fmt::format("set tmargin at screen {:.4f}", 1 - down(margins.top)));
  line(fmt::format("set bmargin at screen {:.4f}", down(margins.bottom)));
  line(fmt::format("set yrange [{}.5:0.5]", rows));
}

void Plot::layer(const std::vector<std::vector<double>>& rows, const std::string& style) {
  if (rows.empty()) return;
  const auto name = fmt::format("$layer{}", ++m_count);
  m_blocks += name + " << END\n";
  for (const auto& row : rows) m_blocks += fmt::format("{:.10g}\n", fmt::join(row, " "));
  m_blocks += "END\n";
  m_layers += fmt::format("{}{} {}", m_layers.empty() ? "plot " : ", \\\n     ", name, style);
}

void Plot::text_beside(int x, double row, const std::string& text, int columns, Align align, const char* colour) {
  line(label(fmt::format("screen {:.4f}, first {:g}", static_cast<double>(x) / m_width, row), text, columns, align,
             colour));
}

void Plot::text_at(double x, double row, const std::string& text, int columns, Align align, const char* colour) {
  line(label(fmt::format("first {:.10g}, first {:g}", x, row), text, columns, align, colour));
}

std::string Plot::script() const { return m_script + m_blocks + (m_layers.empty() ? "plot NaN" : m_layers) + "\n"; }

}  // namespace swaprig::report
