#include "report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

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
