#pragma once

#include <string>
#include <vector>

namespace swaprig::report {

/// Margins around the drawing's own area, in px.
struct Margins {
  int left = 0;
  int right = 0;
  int top = 0;
  int bottom = 0;
};

/// What all charts share, in px and in columns of text.
inline constexpr int k_chart_width = 860;
inline constexpr int k_label_gap = 12;
inline constexpr int k_label_columns = 30;

/// The left margin that these labels need.
int label_room(const std::vector<std::string>& labels);

/// One mark of a legend and what it stands for.
struct LegendEntry {
  std::string text;
  const char* colour;  ///< "#rrggbb" of the palette
  int point_type = 5;  ///< gnuplot's; 5 is a filled square
};

/// gnuplot commands that draw the entries in columns, each `columns` characters of text wide at most; the first line is
/// `top` px below the upper edge of a drawing of `width` x `height` px, and begins `left` px from its left edge.
std::string legend(const std::vector<LegendEntry>& entries, int width, int height, int left, int top, int columns);

/// The height in px that such a legend takes.
int legend_height(std::size_t entries, int width, int left, int columns);

/// 1, 2 or 5 times a power of ten: the least step with which at most `steps` of them reach `most`; 1 for no range.
double round_step(double most, int steps);

/// Tics of a logarithmic axis as gnuplot's list in brackets: 1, 2 and 5 times powers of ten between the two positive
/// values, the powers alone when these are more than four powers apart.
std::string logarithmic_tics(double low, double high);

enum class Align { left, centre, right };

/// One gnuplot script in the making: rows from top to bottom as y = 1, 2, ..., data blocks with numbers only, texts as
/// labels beside the rows.
class Plot {
 public:
  Plot(int width, int rows, int row_height, Margins margins);

  int width() const { return m_width; }
  int height() const { return m_height; }

  void line(const std::string& command) { m_script += command + "\n"; }

  /// Numbers of one layer; `style` is what follows the data in gnuplot's plot command. A layer without rows is left
  /// out, since gnuplot calls an empty one an error.
  void layer(const std::vector<std::vector<double>>& rows, const std::string& style);

  /// Beside the drawing, at `x` px from the left edge.
  void text_beside(int x, double row, const std::string& text, int columns, Align align, const char* colour);
  /// In the drawing, at a value on the x axis.
  void text_at(double x, double row, const std::string& text, int columns, Align align, const char* colour);

  std::string script() const;

 private:
  int m_width;
  int m_height;
  std::string m_script;
  std::string m_blocks;
  std::string m_layers;
  int m_count = 0;
};

}  // namespace swaprig::report
