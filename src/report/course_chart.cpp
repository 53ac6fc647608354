#include <fmt/format.h>

#include <algorithm>

#include "report/chart.hpp"
#include "report/palette.hpp"
#include "report/plot.hpp"
#include "report/run_course.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr std::size_t k_course_points = 300;
constexpr double k_course_mib = 1024.0 * 1024.0;
constexpr int k_course_row = 132;   // px: the name above, then the two panels
constexpr int k_course_panel = 92;  // px
constexpr int k_course_name = 28;   // px
constexpr int k_course_above = 30;
constexpr int k_course_below = 58;
constexpr int k_course_legend_columns = 20;

struct ShownCourse {
  const Arm* arm;
  std::vector<CoursePoint> points;
};

std::vector<ShownCourse> shown_courses(const Findings& findings) {
  std::vector<ShownCourse> courses;
  for (const auto* arm : choose_courses(findings).shown) {
    courses.push_back({arm, course_of(arm->scored->evidence, k_course_points)});
  }
  return courses;
}

/// One line of a panel.
struct CourseLine {
  const char* name;
  const char* paint;
  bool is_rate;                                        ///< holds since the sample before
  std::optional<double> (*value)(const CoursePoint&);  ///< MiB or MiB/s
};

std::optional<double> mebi(std::optional<double> bytes) {
  return bytes ? std::optional(*bytes / k_course_mib) : std::nullopt;
}

constexpr std::array k_amounts{
    CourseLine{"memory used", colour("hue1"), false, [](const CoursePoint& p) { return mebi(p.memory_used_bytes); }},
    CourseLine{"swap used", colour("swap"), false, [](const CoursePoint& p) { return mebi(p.swap_used_bytes); }}};
constexpr std::array k_rates{
    CourseLine{"swap-in", colour("hue3"), true, [](const CoursePoint& p) { return mebi(p.swap_in_bytes_per_s); }},
    CourseLine{"swap-out", colour("hue4"), true, [](const CoursePoint& p) { return mebi(p.swap_out_bytes_per_s); }}};

/// "seconds value" for gnuplot; a rate is a step as long as its time.
std::string rows_of(const std::vector<CoursePoint>& points, const CourseLine& line) {
  std::string rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto value = line.value(points[i]);
    if (!value) continue;
    if (line.is_rate && i > 0) rows += fmt::format("{:.10g} {:.6g}\n", points[i - 1].at_s, *value);
    rows += fmt::format("{:.10g} {:.6g}\n", points[i].at_s, *value);
  }
  return rows;
}

using CourseLines = std::array<CourseLine, 2>;

double highest(const std::vector<ShownCourse>& courses, const CourseLines& lines) {
  double most = 0;
  for (const auto& course : courses) {
    for (const auto& point : course.points) {
      for (const auto& line : lines) most = std::max(most, line.value(point).value_or(0));
    }
  }
  return most;
}

/// The script of the small multiples: rows of two panels, all on the same three scales.
class CourseScript {
 public:
  explicit CourseScript(const std::vector<ShownCourse>& courses)
      : m_courses(courses),
        m_height(k_course_above + static_cast<int>(courses.size()) * k_course_row + k_course_below),
        m_most_amount(highest(courses, k_amounts)),
        m_most_rate(highest(courses, k_rates)) {
    for (const auto& course : courses) m_longest = std::max(m_longest, course.arm->scored->wall_seconds());
  }

  int height() const { return m_height; }

  std::string text() {
    std::string panels;
    for (std::size_t row = 0; row < m_courses.size(); ++row) {
      panels += panel(row, k_amounts, 64, 420, m_most_amount);
      panels += panel(row, k_rates, 500, k_chart_width - 16, m_most_rate);
    }
    return m_blocks + settings() + panels + "unset multiplot\n";
  }

 private:
  std::string settings() const {
    const char* muted = colour("muted");
    std::vector<LegendEntry> entries;
    for (const auto* lines : {&k_amounts, &k_rates}) {
      for (const auto& line : *lines) entries.push_back({line.name, line.paint});
    }
    return fmt::format(
        "set multiplot\nunset key\nset border 1 linecolor rgb '{0}'\n"
        "set xtics scale 0 nomirror textcolor rgb '{0}'\nset ytics scale 0 nomirror textcolor rgb '{0}'\n"
        "set grid ytics back linetype 1 linewidth 1 linecolor rgb '{1}'\nset xrange [0:{2:.10g}]\nset xtics "
        "0,{3:.10g}\n"
        "set label 'MiB' at screen {4:.4f}, screen {5:.4f} right textcolor rgb '{0}'\n"
        "set label 'MiB/s' at screen {6:.4f}, screen {5:.4f} right textcolor rgb '{0}'\n{7}",
        muted, colour("grid"), m_longest > 0 ? m_longest : 1.0, round_step(m_longest, 6), 56.0 / k_chart_width,
        1 - 13.0 / m_height, 492.0 / k_chart_width,
        legend({entries[0], entries[1]}, k_chart_width, m_height, 70, 2, k_course_legend_columns) +
            legend({entries[2], entries[3]}, k_chart_width, m_height, 506, 2, k_course_legend_columns));
  }

  std::string panel(std::size_t row, const CourseLines& lines, int left, int right, double most) {
    const int top = k_course_above + static_cast<int>(row) * k_course_row + k_course_name;
    const auto across = [](int px) { return static_cast<double>(px) / k_chart_width; };
    const auto up = [&](int px) { return 1 - static_cast<double>(px) / m_height; };
    const auto& course = m_courses[row];
    const bool first = &lines == &k_amounts;
    const bool last = row + 1 == m_courses.size();
    std::string script;
    if (first) {
      script += fmt::format("set label {} at screen {:.4f}, screen {:.4f} left textcolor rgb '{}'\n",
                            gnuplot_string(course.arm->label, 40), across(left), up(top - 12), colour("ink"));
      if (course.points.size() < 2) {
        script += fmt::format(
            "set label {} at screen {:.4f}, screen {:.4f} left textcolor rgb '{}'\n",
            gnuplot_string(counted(static_cast<int>(course.points.size()), "sample") + ": too few to draw", 40),
            across(left + 12), up(top + k_course_panel / 2), colour("muted"));
      }
    }
    script +=
        last ? fmt::format("set format x '%g'\nset xlabel 'seconds' offset 0,0.4 textcolor rgb '{}'\n", colour("muted"))
             : std::string("set format x ''\n");
    script += fmt::format(
        "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\nset tmargin at screen {:.4f}\nset bmargin at "
        "screen {:.4f}\nset yrange [0:{:.10g}]\nset ytics 0,{:.10g}\n",
        across(left), across(right), up(top), up(top + k_course_panel), most > 0 ? 1.05 * most : 1.0,
        round_step(most, 3));
    return script + plot_of(course.points, lines) + "unset label\n";
  }

  std::string plot_of(const std::vector<CoursePoint>& points, const CourseLines& lines) {
    std::string plots;
    for (const auto& line : lines) {
      const auto rows = rows_of(points, line);
      if (std::count(rows.begin(), rows.end(), '\n') < 2) continue;
      const auto name = fmt::format("$course{}", ++m_count);
      m_blocks += name + " << END\n" + rows + "END\n";
      plots += fmt::format("{}{} using 1:2 with lines linewidth 2 linecolor rgb '{}'",
                           plots.empty() ? "plot " : ", \\\n     ", name, line.paint);
    }
    return (plots.empty() ? "plot NaN" : plots) + "\n";
  }

  const std::vector<ShownCourse>& m_courses;
  int m_height;
  double m_most_amount;
  double m_most_rate;
  double m_longest = 0;
  int m_count = 0;
  std::string m_blocks;
};

std::string course_description(const std::vector<ShownCourse>& courses) {
  std::string text = "Memory used, swap used and the rates of swapping over the time of one run of each scenario.";
  for (const auto& course : courses) {
    const auto summary = summarise_course(course.points);
    const auto words = [](std::optional<double> bytes) {
      return bytes ? figure_in_words(*bytes / k_course_mib) : std::string("not read");
    };
    text +=
        fmt::format(" {}: at most {} MiB of memory and {} MiB of swap, in at {} MiB/s and out at {} MiB/s on average.",
                    course.arm->label, words(summary.most_memory_bytes), words(summary.most_swap_bytes),
                    words(summary.mean_in_bytes_per_s), words(summary.mean_out_bytes_per_s));
  }
  return text;
}

}  // namespace

std::optional<Chart> course_chart(const Findings& findings) {
  const auto courses = shown_courses(findings);
  const bool any = std::any_of(courses.begin(), courses.end(), [](const auto& one) { return one.points.size() >= 2; });
  if (!any) return std::nullopt;
  CourseScript script(courses);
  Chart chart;
  chart.name = "course";
  chart.title = "Memory and swap within a run";
  chart.description = course_description(courses);
  chart.width = k_chart_width;
  chart.height = script.height();
  chart.script = script.text();
  return chart;
}

}  // namespace swaprig::report
