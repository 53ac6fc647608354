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
