#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/beside.hpp"
#include "report/page_parts.hpp"
#include "report/published_chart.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr std::size_t k_study_line = 1000;  // bytes, as long as a sentence of a study may be

std::string study_line(const std::string& text) { return printable_line(text, k_study_line); }

std::string exact_number(double value) { return fmt::format("{:.10g}", value); }

std::string exact_or_dash(const std::optional<double>& value) { return value ? exact_number(*value) : k_nothing; }

void put_lines(Tree& tree, const std::string& name, const std::vector<std::string>& lines) {
  std::vector<Tree> items;
  for (const auto& line : lines) items.emplace_back(study_line(line));
  put_list(tree, name, items);
}

Tree file_row(const spec::PublishedFile& file) {
  Tree row;
  row.set("method", method_in_words(file));
  row.set("size", exact(file.size));
  row.set("real", exact_number(file.real_s));
  row.set("user", exact_or_dash(file.user_s));
  row.set("sys", exact_or_dash(file.sys_s));
  row.set("rate", file.rate ? exact_number(static_cast<double>(file.rate->count) / 1e6) : k_nothing);
  return row;
}

/// "fallocate: 32 times the size took 9.67 times as long."
std::string growth_in_words(const CreationSeries& series) {
  const auto by_size = [](const CreationPoint& a, const CreationPoint& b) { return a.bytes < b.bytes; };
  const auto [least, most] = std::minmax_element(series.points.begin(), series.points.end(), by_size);
  if (least->bytes == most->bytes || least->seconds <= 0) return "";
  return fmt::format("{}: {} times the size took {} times as long.", series.method,
                     exact_number(static_cast<double>(most->bytes) / static_cast<double>(least->bytes)),
                     figure_in_words(most->seconds / least->seconds));
}

/// "4 GiB: dd took 755 times as long as fallocate." for every file that is not the fastest of its size.
std::vector<std::string> files_in_words(const std::vector<spec::PublishedFile>& files) {
  std::vector<std::string> sentences;
  for (const auto& series : creation_series(files)) sentences.push_back(growth_in_words(series));
  for (const auto& file : files) {
    const spec::PublishedFile* fastest = nullptr;
    for (const auto& other : files) {
      if (other.size != file.size || other.real_s <= 0) continue;
      if (fastest == nullptr || other.real_s < fastest->real_s) fastest = &other;
    }
    if (fastest == nullptr || fastest->real_s >= file.real_s) continue;
    sentences.push_back(fmt::format("{}: {} took {} times as long as {}.", exact(file.size), method_in_words(file),
                                    figure_in_words(file.real_s / fastest->real_s), method_in_words(*fastest)));
  }
  std::erase(sentences, "");
  return sentences;
}

Tree time_row(const spec::Published& study, const spec::PublishedTime& time) {
  Tree row;
  row.set("name", study_line(time.scenario));
  row.set("in_words", published_seconds(time.seconds));
  row.set("seconds", exact_number(time.seconds));
  row.set("ratio", number(time.seconds / study.seconds(study.baseline), 2));
  row.set("excess", excess_in_words(study.excess(time.scenario)));
  return row;
}

std::string excess_or_dash(const std::optional<double>& excess) {
  return excess ? excess_in_words(*excess) : k_nothing;
}

std::string seconds_or_dash(const std::optional<double>& seconds) {
  return seconds ? figure_in_words(*seconds) : k_nothing;
}

/// Why a cell is empty; each reason once.
std::string reasons_in_words(const BesideRow& row, bool drive_times) {
  if (!drive_times || row.drive.blank_because == row.time.blank_because) return row.time.blank_because;
  std::vector<std::string> reasons;
  if (!row.time.blank_because.empty()) reasons.push_back("seconds: " + row.time.blank_because);
  if (!row.drive.blank_because.empty()) reasons.push_back("drive time: " + row.drive.blank_because);
  return join(reasons, "; ");
}

Tree beside_row(const BesideRow& beside, bool drive_times) {
  Tree row;
  row.set("name", beside.label);
  row.set("own", beside.own.empty() ? k_nothing : beside.own_label);
  row.set("seconds", exact_number(beside.seconds));
  row.set("ratio", number(beside.ratio, 2));
  row.set("excess", excess_in_words(beside.excess));
  row.set("own_seconds", seconds_or_dash(beside.time.seconds));
  row.set("own_excess", excess_or_dash(beside.time.excess));
  row.set("drive_seconds", seconds_or_dash(beside.drive.seconds));
  row.set("drive_excess", excess_or_dash(beside.drive.excess));
  row.set("valid", beside.own.empty() ? k_nothing : fmt::format("{} / {}", beside.valid, beside.planned));
  row.set("why", reasons_in_words(beside, drive_times));
  return row;
}

void put_beside(Tree& tree, const Beside& beside) {
  std::vector<Tree> rows;
  bool blanks = false;
  bool renamed = false;
  for (const auto& row : beside.rows) {
    rows.push_back(beside_row(row, beside.drive_times));
    blanks = blanks || !reasons_in_words(row, beside.drive_times).empty();
    renamed = renamed || (!row.own.empty() && row.own != row.name);
  }
  put_list(tree, "beside", rows);
  tree.set("beside_floor", beside.floor);
  tree.set("beside_baseline", beside.baseline);
  tree.set("beside_drive_times", beside.drive_times);
  tree.set("beside_blanks", blanks);
  tree.set("beside_renamed", renamed);
  std::vector<Tree> sentences;
  for (const auto& sentence : beside.sentences) sentences.emplace_back(with_hard_spaces(sentence));
  put_list(tree, "beside_sentences", sentences);
}

/// What the study says of its set-up; with the experiment's own beside it, where there is one.
void put_setup(Tree& tree, const spec::Published& study, const Subject* subject) {
  std::vector<Tree> rows;
  for (const std::string key : spec::k_setup_keys) {
    const auto theirs = study.setup.find(key);
    if (theirs == study.setup.end() && subject == nullptr) continue;
    const auto ours = subject != nullptr ? own_setup(*subject, key) : std::string();
    Tree row;
    row.set("what", key);
    row.set("theirs", theirs == study.setup.end() ? "not said" : study_line(theirs->second));
    row.set("ours", ours.empty() ? k_nothing : ours);
    rows.push_back(row);
  }
  put_list(tree, "study_setup", rows);
  tree.set("study_ours", subject != nullptr);
}

}  // namespace

void put_study(Tree& tree, const spec::Published& study, const Subject* subject) {
  tree.set("study_title", study_line(study.title));
  tree.set("study_author", study_line(study.author));
  tree.set("study_date", study_line(study.date));
  tree.set("study_figure", study_line(study.figure));
  tree.set("has_study_address", study.address.has_value());
  tree.set("study_address", study.address.value_or(""));
  put_lines(tree, "study_conditions", study.conditions);
  put_lines(tree, "study_notes", study.notes);
  put_setup(tree, study, subject);
  std::vector<Tree> times;
  for (const auto& time : study.scenarios) times.push_back(time_row(study, time));
  put_list(tree, "study_times", times);
  tree.set("study_floor", study_line(study.floor));
  tree.set("study_baseline", study_line(study.baseline));
  std::vector<Tree> files;
  for (const auto& file : study.files) files.push_back(file_row(file));
  put_list(tree, "study_files", files);
  put_lines(tree, "study_sentences", files_in_words(study.files));
}

void put_reference(Tree& tree, const Subject& subject, const Findings& findings,
                   const std::vector<DrawnChart>& charts) {
  const auto& reference = subject.experiment.reference;
  tree.set("has_reference", reference.has_value());
  if (!reference) return;
  const auto beside = beside_published(subject, findings);
  put_study(tree, reference->study, &subject);
  if (beside) {
    put_beside(tree, *beside);
  } else {
    put_list(tree, "beside", {});
  }
  tree.set("chart_published", chart_named(charts, "published"));
}

}  // namespace swaprig::report
