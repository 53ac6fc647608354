#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "report/drive_view.hpp"
#include "report/page_parts.hpp"
#include "report/svg.hpp"
#include "report/templates.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

Bytes bytes_of(std::int64_t count) { return Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0))}; }

Tree chart_tree(const DrawnChart& drawn) {
  Tree tree;
  tree.set("name", drawn.chart.name);
  tree.set("title", drawn.chart.title);
  tree.set("svg", drawn.inline_svg);
  tree.set("drawn", !drawn.inline_svg.empty());
  tree.set("missing", drawn.inline_svg.empty());
  tree.set("fault", printable_line(drawn.fault));
  return tree;
}

void put_answer(Tree& tree, const Subject& subject, const Findings& findings) {
  const auto& experiment = subject.experiment;
  tree.set("title", printable_line(experiment.title.empty() ? experiment.name : experiment.title));
  tree.set("experiment", printable_line(experiment.name));
  tree.set("batch", printable_line(subject.batch));
  tree.set("started", minute_of(subject.started));
  tree.set("ended", subject.ended ? minute_of(*subject.ended) : "not ended");
  tree.set("version", printable_line(subject.swaprig_version));
  tree.set("answer", with_hard_spaces(findings.answer));
  tree.set("setting", with_hard_spaces(printable_line(findings.setting)));
  std::vector<Tree> banners;
  for (const auto& banner : findings.banners) {
    Tree one;
    one.set("code", banner.code);
    one.set("heading", banner.title);
    one.set("text", with_hard_spaces(banner.text));
    banners.push_back(one);
  }
  put_list(tree, "banners", banners);
  std::vector<Tree> notes;
  for (const auto& note : findings.notes) notes.emplace_back(with_hard_spaces(note));
  put_list(tree, "notes", notes);
}

/// Every single time, in the order of the blocks; what is missing or flagged keeps its place.
std::string every_time(const Arm& arm) {
  std::map<int, std::string> blocks;
  for (int block = 1; block <= arm.planned; ++block) blocks[block] = k_nothing;
  for (const auto& time : arm.times) {
    blocks[time.block] = number(time.seconds, decimals_for(*arm.summary)) + (time.outlier ? "*" : "");
  }
  std::string text;
  for (const auto& [block, words] : blocks) text += (text.empty() ? "" : "  ") + words;
  return text;
}

/// Blank when the drives that it swaps to are not simulated: never 0.
std::string drive_time_in_words(const Arm& arm) {
  const auto seconds = arm.drive_time_s();
  return seconds ? figure_in_words(*seconds) : std::string();
}

Tree time_row(const Arm& arm) {
  Tree row;
  row.set("name", arm.label);
  row.set("valid", fmt::format("{} / {}", arm.times.size(), arm.planned));
  row.set("in", traffic_in_words(arm.swapped_in_bytes));
  row.set("out", traffic_in_words(arm.swapped_out_bytes));
  row.set("drive_time", drive_time_in_words(arm));
  row.set("in_words", score_in_words(arm));
  row.set("blank", !arm.summary);
  row.set("timed", arm.summary.has_value());
  row.set("why", arm.blank_because);
  if (!arm.summary) return row;
  const auto& summary = *arm.summary;
  const int decimals = decimals_for(summary);
  row.set("times", every_time(arm));
  row.set("best", number(summary.best, decimals));
  row.set("median", number(summary.median, decimals));
  row.set("mad", number(summary.mad, decimals));
  row.set("max", number(summary.worst, decimals));
  row.set("deviation", summary.deviation ? number(*summary.deviation, decimals) : k_nothing);
  row.set("median_interval", summary.median_interval
                                 ? fmt::format("{} to {}", number(summary.median_interval->first, decimals),
                                               number(summary.median_interval->second, decimals))
                                 : k_nothing);
  return row;
}

void put_times(Tree& tree, const Findings& findings, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> rows;
  bool outliers = false;
  bool deviations = false;
  bool intervals = false;
  bool drive_times = false;
  for (const auto& arm : findings.arms) {
    rows.push_back(time_row(arm));
    if (!arm.summary) continue;
    drive_times = drive_times || arm.drive_time_s().has_value();
    outliers = outliers || !arm.summary->outliers.empty();
    deviations = deviations || arm.summary->deviation.has_value();
    intervals = intervals || arm.summary->median_interval.has_value();
  }
  put_list(tree, "arms", rows);
  tree.set("outliers", outliers);
  tree.set("deviations", deviations);
  tree.set("intervals", intervals);
  tree.set("drive_times", drive_times);
  tree.set("has_times", findings.makings.empty());
  tree.set("score_words", findings.score_words);
  tree.set("chart_times", chart_named(charts, "times"));
}

Tree difference_row(const Arm& arm) {
  Tree row;
  const bool compared = arm.comparison && arm.comparison->pairs > 0;
  const auto decimals = arm.summary ? decimals_for(*arm.summary) : 0;
  row.set("name", arm.label);
  row.set("score", arm.score ? number(*arm.score, decimals) : k_nothing);
  row.set("median", arm.summary ? number(arm.summary->median, decimals) : k_nothing);
  row.set("spread", arm.summary ? number(arm.summary->mad, decimals) : k_nothing);
  row.set("valid", fmt::format("{} / {}", arm.times.size(), arm.planned));
  row.set("ratio", arm.baseline && arm.summary ? ratio_in_words(0)
                   : compared                  ? ratio_in_words(arm.comparison->effect)
                                               : k_nothing);
  row.set("effect", compared ? effect_in_words(*arm.comparison) : k_nothing);
  row.set("interval",
          compared && arm.comparison->interval95 ? interval_in_words(*arm.comparison->interval95) : k_nothing);
  row.set("p", compared && arm.comparison->p_holm ? p_in_words(*arm.comparison->p_holm) : k_nothing);
  row.set("verdict", verdict_at_length(arm));
  const auto word = verdict_in_words(arm);
  row.set("tone", word == "faster" || word == "slower" ? word : "plain");
  return row;
}

void put_differences(Tree& tree, const Findings& findings, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> rows;
  int questions = 0;
  for (const auto& arm : findings.arms) {
    rows.push_back(difference_row(arm));
    if (arm.comparison && arm.comparison->p_holm) ++questions;
  }
  const auto* baseline = findings.baseline();
  const bool compared = baseline != nullptr && baseline->summary && rows.size() > 1 && findings.makings.empty();
  put_list(tree, "differences", compared ? rows : std::vector<Tree>{});
  tree.set("baseline", baseline == nullptr ? "" : baseline->label);
  tree.set("delta", with_hard_spaces(percent(findings.delta)));
  tree.set("holm", questions > 0);
  tree.set("chart_differences", chart_named(charts, "differences"));
}

std::string kind_of(const drive::PlacedPartition& partition) {
  if (partition.type == spec::PartitionType::swap) return "swap partition";
  return to_string(partition.type) + (partition.holds_image ? ", the root" : "");
}

Tree area_row(const std::string& name, const std::string& kind, std::int64_t from, std::int64_t to, std::int64_t size,
              const std::string& used_by) {
  Tree row;
  row.set("name", name);
  row.set("kind", kind);
  row.set("from", rounded(bytes_of(from)));
  row.set("to", rounded(bytes_of(to)));
  row.set("size", rounded(bytes_of(size)));
  row.set("used_by", used_by);
  return row;
}

std::string users_of(const DriveView& view, const std::string& partition) {
  std::string users;
  for (const auto& swap : view.swaps) {
    if (swap.where == partition) users += (users.empty() ? "" : ", ") + swap.arm;
  }
  return users;
}

std::vector<Tree> partition_rows(const DriveView& view) {
  std::vector<Tree> rows;
  for (const auto& partition : view.layout.partitions) {
    const auto from = static_cast<std::int64_t>(partition.offset.count);
    const auto size = static_cast<std::int64_t>(partition.size.count);
    const auto name = printable_line(partition.name);
    rows.push_back(area_row(name, kind_of(partition), from, from + size, size, users_of(view, name)));
  }
  return rows;
}

std::vector<Tree> file_rows(const DriveView& view) {
  std::vector<Tree> rows;
  for (const auto& swap : view.swaps) {
    if (swap.kind == "partition") continue;
    if (swap.extents.empty()) {
      Tree row = area_row(swap.where, swap.kind + ", not placed in any run", 0, 0, 0, swap.arm);
      for (const char* field : {"from", "to", "size"}) row.set(field, k_nothing);
      rows.push_back(row);
      continue;
    }
    std::int64_t from = swap.extents.front().offset_bytes;
    std::int64_t to = from;
    std::int64_t size = 0;
    for (const auto& extent : swap.extents) {
      from = std::min(from, extent.offset_bytes);
      to = std::max(to, extent.offset_bytes + extent.size_bytes);
      size += extent.size_bytes;
    }
    const auto extents = counted(static_cast<int>(swap.extents.size()), "extent");
    rows.push_back(
        area_row(swap.where, fmt::format("swap file by {}, {}", swap.kind, extents), from, to, size, swap.arm));
  }
  return rows;
}

Tree drive_tree(const DriveView& view, const std::vector<DrawnChart>& charts) {
  Tree tree;
  tree.set("drive", printable_line(view.name));
  tree.set("drive_size", rounded(view.layout.drive_size));
  auto rows = partition_rows(view);
  for (auto& row : file_rows(view)) rows.push_back(row);
  put_list(tree, "areas", rows);
  tree.set("root_here", !view.root_data.empty());
  if (!view.root_data.empty()) {
    const auto at = [&](double share) { return rounded(bytes_of(position_of_share(view.root_data, share))); };
    tree.set("root_words", with_hard_spaces(fmt::format(
                               "10 % of the bytes of the image’s files lie below {}, half below {}, 90 % below {}.",
                               at(0.1), at(0.5), at(0.9))));
  }
  tree.set("chart_drive", chart_named(charts, "drive-" + slug(view.name)));
  return tree;
}

void put_drives(Tree& tree, const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> drives;
  for (const auto& view : drive_views(subject, findings)) drives.push_back(drive_tree(view, charts));
  put_list(tree, "drives", drives);
}

Tree page_tree(const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  Tree tree;
  put_answer(tree, subject, findings);
  put_times(tree, findings, charts);
  put_makings(tree, findings, charts);
  put_differences(tree, findings, charts);
  put_reference(tree, subject, findings, charts);
  put_drives(tree, subject, findings, charts);
  put_work(tree, subject, findings, charts);
  put_proof(tree, subject, findings);
  return tree;
}

}  // namespace

std::string rendered(const char* text, const char* study, Tree& tree, std::string (*escape)(const std::string&)) {
  kainjow::mustache::mustache page{std::string(text)};
  SWAPRIG_ASSERT(page.is_valid());
  if (escape != nullptr) page.set_custom_escape(escape);
  tree.set("study", Tree(kainjow::mustache::partial([study] { return std::string(study); })));
  auto result = page.render(tree);
  SWAPRIG_ASSERT(page.is_valid());  // a part is parsed while it is filled
  return result;
}

Tree chart_named(const std::vector<DrawnChart>& charts, const std::string& name) {
  const auto found =
      std::find_if(charts.begin(), charts.end(), [&](const auto& one) { return one.chart.name == name; });
  return found == charts.end() ? Tree(false) : chart_tree(*found);
}

void put_list(Tree& tree, const std::string& name, const std::vector<Tree>& items) {
  Tree list(Tree::type::list);
  for (const auto& item : items) list.push_back(item);
  tree.set("has_" + name, !items.empty());
  tree.set(name, list);
}

std::string with_hard_spaces(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before_unit =
        text[i] == ' ' && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9' && i + 1 < text.size() &&
        (text[i + 1] == '%' || text.compare(i + 1, 2, "s ") == 0 || text.compare(i + 2, 2, "iB") == 0);
    if (before_unit) {
      result += "\u00a0";
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string markdown_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]#|~$").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string html_page(const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  auto tree = page_tree(subject, findings, charts);
  tree.set("style", palette_css() + k_page_css);
  return rendered(k_page_html, k_study_html, tree, nullptr);
}

std::string markdown_page(const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  auto tree = page_tree(subject, findings, charts);
  return rendered(k_page_markdown, k_study_markdown, tree, markdown_escaped);
}

}  // namespace swaprig::report
