#include "spec/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "spec/fault_words.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"
#include "spec/source.hpp"

namespace swaprig::spec {
namespace {

constexpr double k_longest_seconds = 31536000;  // a year
constexpr double k_shortest_seconds = 0.001;
constexpr Range<Bytes> k_file_sizes{Bytes{1}, Bytes{std::uint64_t{1} << 50U}};
constexpr std::size_t k_longest_sentence = 1000;  // bytes

std::string sentence_fault(const std::string& text) {
  if (trim(text).empty()) return "a text may not be empty";
  if (text.size() > k_longest_sentence) return fmt::format("a text may have at most {} bytes", k_longest_sentence);
  return has_control_character(text) ? "a text may not hold a control character" : "";
}

/// A text of one line that has to be there.
std::string read_line(TableReader& table, const std::string& key, const std::string& example) {
  table.require(key, example);
  const auto text = table.text(key);
  if (!text) return "";
  if (const auto fault = sentence_fault(*text); !fault.empty()) table.fault(key, key + ": " + fault);
  return *text;
}

bool is_two_digits_up_to(std::string_view text, int most) {
  if (text.size() != 2 || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  const int value = 10 * (text[0] - '0') + (text[1] - '0');
  return value >= 1 && value <= most;
}

/// "2021-09-07", "2021-09", "2021"
bool is_date(const std::string& text) {
  const auto parts = split(text, '-');
  const auto& year = parts.front();
  if (year.size() != 4 || year.find_first_not_of("0123456789") != std::string::npos) return false;
  if (parts.size() > 1 && !is_two_digits_up_to(parts[1], 12)) return false;
  if (parts.size() > 2 && !is_two_digits_up_to(parts[2], 31)) return false;
  return parts.size() <= 3;
}

bool is_address(const std::string& text) {
  if (!text.starts_with("https://") && !text.starts_with("http://")) return false;
  return !has_control_character(text) && text.find_first_of(" \"'<>\\") == std::string::npos;
}

void read_origin(TableReader& root, Published& study) {
  study.title = read_line(root, "title", "title = \"what the study is called\"");
  study.author = read_line(root, "author", "author = \"who published it\"");
  root.require("date", "date = \"2021-09-07\"");
  if (const auto date = root.text("date")) {
    study.date = *date;
    if (!is_date(*date)) {
      root.fault("date", fmt::format("date: {} is no date", in_quotes(*date)),
                 "write \"2021-09-07\", or as much of it as is known");
    }
  }
  study.address = root.text("address");
  if (study.address && !is_address(*study.address)) {
    root.fault("address", "address: expected a web address such as \"https://example.org/study\"",
               "leave it out when it is not known");
  }
  study.figure = read_line(root, "figure", "figure = \"the lower of two times\"");
}

void read_sentences(TableReader& root, Published& study) {
  root.require("conditions", "conditions = [\"how it was measured\"]");
  if (auto conditions = root.texts("conditions", sentence_fault)) {
    study.conditions = std::move(*conditions);
    if (study.conditions.empty()) {
      root.fault("conditions", "conditions: a study needs at least one", "say how it was measured");
    }
  }
  study.notes = root.texts("notes", sentence_fault).value_or(std::vector<std::string>{});
  auto setup = root.table("setup", "[setup]");
  if (!setup) return;
  for (const std::string key : k_setup_keys) {
    const auto text = setup->text(key);
    if (!text) continue;
    if (const auto fault = sentence_fault(*text); !fault.empty()) setup->fault(key, key + ": " + fault);
    study.setup[key] = *text;
  }
  setup->finish();
}

/// The name of one of the scenarios under `key`.
std::string read_one_of(TableReader& root, const std::string& key, const std::string& example,
                        const std::vector<std::string>& names) {
  root.require(key, example);
  const auto name = root.text(key);
  if (!name) return "";
  if (!names.empty() && std::find(names.begin(), names.end(), *name) == names.end()) {
    root.fault(key, fmt::format("{}: there is no scenario {}", key, in_quotes(*name)), suggest(*name, names));
  }
  return *name;
}

const PublishedTime* time_of(const Published& study, const std::string& scenario) {
  const auto found = std::find_if(study.scenarios.begin(), study.scenarios.end(),
                                  [&](const auto& time) { return time.scenario == scenario; });
  return found == study.scenarios.end() ? nullptr : &*found;
}

/// An excess over the floor needs a baseline that has one.
void check_baseline_and_floor(TableReader& root, const Published& study) {
  const auto* baseline = time_of(study, study.baseline);
  const auto* floor = time_of(study, study.floor);
  if (baseline == nullptr || floor == nullptr || baseline->seconds <= 0 || floor->seconds <= 0) return;
  if (baseline->seconds > floor->seconds) return;
  root.fault("baseline", fmt::format("the baseline {} has to be slower than the floor {}", in_quotes(study.baseline),
                                     in_quotes(study.floor)));
}

void read_published_scenarios(TableReader& root, Published& study) {
  root.require("scenarios", "[[scenarios]]");
  NameList unique("scenario");
  std::vector<std::string> names;
  if (auto tables = root.tables("scenarios", "this scenario")) {
    if (tables->empty()) root.fault("scenarios", "there is no scenario", "write [[scenarios]]");
    for (auto& table : *tables) {
      PublishedTime time;
      table.require("name", "name = \"start of the HDD\"");
      if (const auto name = table.text("name")) {
        unique.add(*name, table, "name");
        time.scenario = *name;
        names.push_back(*name);
      }
      table.require("seconds", "seconds = 1701");
      time.seconds = table.number("seconds", {k_shortest_seconds, k_longest_seconds}).value_or(0);
      table.finish();
      study.scenarios.push_back(std::move(time));
    }
  }
  study.baseline = read_one_of(root, "baseline", "baseline = \"start of the HDD\": its excess is called 1", names);
  study.floor = read_one_of(root, "floor", "floor = \"RAM only\": its excess is 0", names);
  check_baseline_and_floor(root, study);
}

std::optional<Bytes> read_rate(TableReader& table) {
  constexpr std::string_view k_rate_end = "/s";
  const auto text = table.text("rate");
  if (!text) return std::nullopt;
  const bool ends = text->ends_with(k_rate_end);
  const auto parsed = parse_size(ends ? text->substr(0, text->size() - k_rate_end.size()) : *text);
  if (ends && parsed.fault == SizeFault::none) return parsed.bytes;
  table.fault("rate", fmt::format("rate: expected a rate such as \"949 MB/s\", but {}",
                                  ends ? fault_words(parsed.fault) : "it does not end with \"/s\""));
  return std::nullopt;
}

PublishedFile read_published_file(TableReader& table) {
  PublishedFile file;
  file.method = read_line(table, "method", "method = \"fallocate\"");
  file.block = table.size("block", k_file_sizes);
  table.require("size", "size = \"4 GiB\"");
  file.size = table.size("size", k_file_sizes).value_or(Bytes{0});
  table.require("real_seconds", "real_seconds = 0.006");
  const Range<double> seconds{0, k_longest_seconds};
  file.real_s = table.number("real_seconds", seconds).value_or(0);
  file.user_s = table.number("user_seconds", seconds);
  file.sys_s = table.number("sys_seconds", seconds);
  file.rate = read_rate(table);
  table.finish();
  return file;
}

void read_published_files(TableReader& root, Published& study) {
  root.require("files", "[[files]]");
  auto tables = root.tables("files", "this file");
  if (!tables) return;
  if (tables->empty()) root.fault("files", "there is no file", "write [[files]]");
  std::set<std::tuple<std::string, Bytes, Bytes>> seen;
  for (auto& table : *tables) {
    auto file = read_published_file(table);
    const bool known = !file.method.empty() && file.size.count > 0;
    if (known && !seen.emplace(file.method, file.block.value_or(Bytes{0}), file.size).second) {
      table.fault_here(fmt::format("{} of {} is there already", in_quotes(file.method), exact(file.size)),
                       "one entry for each method, block and size");
    }
    study.files.push_back(std::move(file));
  }
}

/// The keys of the other kinds are unknown ones then.
void read_results(TableReader& root, Published& study) {
  const std::array<std::string, 2> kinds{"scenarios", "swapfile-creation"};
  root.require("kind", "kind = \"scenarios\" or kind = \"swapfile-creation\"");
  const auto kind = root.choice("kind", kinds);
  if (!kind) {
    for (const auto* key : {"baseline", "floor", "scenarios", "files"}) root.ignore(key);
    return;
  }
  study.kind = static_cast<PublishedKind>(*kind);
  if (study.kind == PublishedKind::scenarios) {
    read_published_scenarios(root, study);
  } else {
    read_published_files(root, study);
  }
}

}  // namespace

double Published::seconds(const std::string& scenario) const {
  const auto* time = time_of(*this, scenario);
  SWAPRIG_ASSERT(time != nullptr);
  return time->seconds;
}

double Published::excess(const std::string& scenario) const {
  const double least = seconds(floor);
  return (seconds(scenario) - least) / (seconds(baseline) - least);
}

Published parse_published(const std::string& text, const std::string& path) {
  Published study;
  study.name = std::filesystem::path(path).stem().string();
  study.path = path;
  study.text = text;
  const Node document = parse_source(text, path, "experiments/published/README.md describes the language");
  Faults faults(path);
  TableReader root(std::get<Node::Table>(document.value), document.where, faults, "the file");
  if (read_schema(root)) {
    read_origin(root, study);
    read_sentences(root, study);
    read_results(root, study);
    root.finish();
  }
  faults.throw_if_any(text);
  return study;
}

Published load_published(const std::string& path) { return parse_published(read_source(path), path); }

std::vector<std::string> published_names(const std::string& folder) { return toml_names(folder); }

}  // namespace swaprig::spec
