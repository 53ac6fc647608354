#include "report/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

constexpr std::size_t k_beside_label_limit = 200;

std::string beside_label(const std::string& name) { return printable_line(name, k_beside_label_limit); }

/// Nothing for a scenario that the experiment leaves out.
const Arm* arm_beside(const spec::Reference& reference, const Findings& findings, const std::string& published) {
  const auto own = reference.scenarios.find(published);
  if (own == reference.scenarios.end()) return nullptr;
  const auto found = std::find_if(findings.arms.begin(), findings.arms.end(),
                                  [&](const Arm& arm) { return !arm.aa && arm.name == own->second; });
  return found == findings.arms.end() ? nullptr : &*found;
}

/// A scenario without swap keeps no drive busy with it.
std::optional<double> drive_seconds(const Arm& arm) {
  if (!arm.score) return std::nullopt;
  return arm.places_swap ? arm.drive_time_s() : 0.0;
}

/// What the own excess counts from, and what is called 1; the fault says why there is none.
struct ExcessScale {
  double floor = 0;
  double baseline = 1;
  std::string fault;

  double excess(double seconds) const { return (seconds - floor) / (baseline - floor); }
};

std::string why_no_time(const Arm& arm) { return "no valid run: " + arm.blank_because; }

constexpr const char* k_no_drive_time = "a drive that it swaps to is not simulated, or was not read";

std::string blank_end(const Arm& arm, const char* otherwise) {
  return fmt::format("{}: {}", quoted(arm.label), arm.score ? otherwise : why_no_time(arm));
}

ExcessScale time_scale_of(const Arm& floor, const Arm& baseline) {
  for (const auto* end : {&floor, &baseline}) {
    if (!end->score) return {.floor = 0, .baseline = 1, .fault = blank_end(*end, "")};
  }
  if (*baseline.score <= *floor.score) {
    return {0, 1, fmt::format("{} is not slower than {}", quoted(baseline.label), quoted(floor.label))};
  }
  return {*floor.score, *baseline.score, ""};
}

ExcessScale drive_scale_of(const Arm& floor, const Arm& baseline) {
  // Without swap the floor is 0 by its nature, whether its own runs are valid or not.
  const auto least = floor.places_swap ? drive_seconds(floor) : 0.0;
  const auto most = drive_seconds(baseline);
  if (!least) return {0, 1, blank_end(floor, k_no_drive_time)};
  if (!most) return {0, 1, blank_end(baseline, k_no_drive_time)};
  if (*most <= *least) {
    return {0, 1, fmt::format("the drives of {} were not busy with its swap", quoted(baseline.label))};
  }
  return {*least, *most, ""};
}

BesideFigure figure_of(const Arm& arm, std::optional<double> seconds, const char* missing, const ExcessScale& scale) {
  BesideFigure figure;
  figure.seconds = seconds;
  if (!arm.score) {
    figure.blank_because = why_no_time(arm);
  } else if (!seconds) {
    figure.blank_because = missing;
  } else if (!scale.fault.empty()) {
    figure.blank_because = scale.fault;
  } else {
    figure.excess = scale.excess(*seconds);
  }
  return figure;
}

BesideRow row_beside(const spec::Published& study, const spec::PublishedTime& time) {
  BesideRow row;
  row.name = time.scenario;
  row.label = beside_label(time.scenario);
  row.seconds = time.seconds;
  row.ratio = time.seconds / study.seconds(study.baseline);
  row.excess = study.excess(time.scenario);
  return row;
}

void fill_own(BesideRow& row, const Arm* arm, const ExcessScale& time, const ExcessScale& drive) {
  if (arm == nullptr) {
    row.time.blank_because = row.drive.blank_because = "this experiment leaves it out";
    return;
  }
  row.own = arm->name;
  row.own_label = arm->label;
  row.valid = static_cast<int>(arm->times.size());
  row.planned = arm->planned;
  row.time = figure_of(*arm, arm->score, "", time);
  row.drive = figure_of(*arm, drive_seconds(*arm), k_no_drive_time, drive);
}

using FigureOf = BesideFigure BesideRow::*;

/// Whether those that have an excess come in the published order; empty when there are too few to tell.
std::string about_the_order(const Beside& beside, FigureOf figure, const char* in_what) {
  std::vector<const BesideRow*> rows;
  for (const auto& row : beside.rows) {
    if ((row.*figure).excess) rows.push_back(&row);
  }
  if (rows.size() < 3) return "";
  auto published = rows;
  std::stable_sort(published.begin(), published.end(),
                   [](const auto* a, const auto* b) { return a->excess < b->excess; });
  auto own = published;
  std::stable_sort(own.begin(), own.end(),
                   [figure](const auto* a, const auto* b) { return *(a->*figure).excess < *(b->*figure).excess; });
  const auto some = rows.size() < beside.rows.size() ? " that have a figure" : "";
  if (own == published) return fmt::format("{} the scenarios{} come in the published order.", in_what, some);
  std::vector<std::string> names;
  for (const auto* row : own) names.push_back(quoted(row->label));
  return fmt::format("{} the order of the scenarios{} is not the published one. Ours, from the fastest: {}.", in_what,
                     some, join(names, ", "));
}

std::string about_others(const spec::Reference& reference, const Findings& findings) {
  std::set<std::string> matched;
  for (const auto& [published, own] : reference.scenarios) matched.insert(own);
  std::vector<std::string> others;
  for (const auto& arm : findings.arms) {
    if (!arm.aa && matched.count(arm.name) == 0) others.push_back(quoted(arm.label));
  }
  return others.empty() ? "" : fmt::format("Not in the study: {}.", join(others, ", "));
}

void fill_sentences(Beside& beside, const spec::Reference& reference, const Findings& findings, const ExcessScale& time,
                    const ExcessScale& drive) {
  std::vector<std::string> sentences;
  if (!time.fault.empty()) {
    sentences.push_back(
        fmt::format("There is no excess of our seconds, since it needs both the floor and the "
                    "baseline. {}.",
                    time.fault));
  }
  if (!beside.drive_times) {
    sentences.emplace_back("There is no drive time: no scenario swaps to simulated drives alone.");
  } else if (!drive.fault.empty()) {
    sentences.push_back(fmt::format("There is no excess of our drive time. {}.", drive.fault));
  }
  sentences.push_back(about_the_order(beside, &BesideRow::time, "In seconds"));
  if (beside.drive_times) sentences.push_back(about_the_order(beside, &BesideRow::drive, "In drive time"));
  sentences.push_back(about_others(reference, findings));
  std::erase(sentences, "");
  beside.sentences = std::move(sentences);
}

/// "2 GiB; “RAM only”: 8 GiB": the guest's own, then the scenarios that differ.
template <typename Value, typename Words>
std::string over_scenarios(const spec::Experiment& experiment, Value spec::Guest::*field, Words words) {
  auto text = words(experiment.guest.*field);
  for (const auto& scenario : experiment.scenarios) {
    if (scenario.guest.*field == experiment.guest.*field) continue;
    text += fmt::format("; {}: {}", quoted(beside_label(scenario.name)), words(scenario.guest.*field));
  }
  return text;
}

std::string drives_in_words(const spec::Experiment& experiment) {
  std::vector<std::string> drives;
  for (const auto& drive : experiment.drives) {
    const auto* simulated = drive.simulated();
    auto text = quoted(beside_label(drive.name)) + ": ";
    if (simulated == nullptr) {
      text += fmt::format("a file of {} on the host", exact(drive.size()));
    } else {
      text += "simulated, " + printable_line(simulated->profile.title);
      if (simulated->time_scale != 1) text += fmt::format(", all delays times {:g}", simulated->time_scale);
    }
    drives.push_back(text);
  }
  return join(drives, "; ");
}

std::string buses_in_words(const spec::Experiment& experiment) {
  constexpr std::array k_buses{"virtio", "SCSI", "SATA", "IDE"};
  std::vector<std::string> buses;
  for (const auto& drive : experiment.drives) {
    buses.push_back(
        fmt::format("{}: {}", quoted(beside_label(drive.name)), k_buses.at(static_cast<std::size_t>(drive.bus))));
  }
  return join(buses, "; ");
}

std::string swap_in_words(const spec::Experiment& experiment) {
  std::set<Bytes> sizes;
  for (const auto& scenario : experiment.scenarios) {
    Bytes size;
    for (const auto& area : scenario.swap) size = size + area.size;
    if (size.count > 0) sizes.insert(size);
  }
  std::vector<std::string> words;
  for (const auto size : sizes) words.push_back(exact(size));
  return join(words, ", ");
}

std::string acceleration_in_words(const Subject& subject) {
  std::set<std::string> kinds;
  for (const auto& run : subject.runs) {
    const auto& kind = run.evidence.acceleration;
    if (!kind.empty()) kinds.insert(kind == "tcg" ? "none: emulated CPU (TCG)" : "KVM");
  }
  return join({kinds.begin(), kinds.end()}, ", ");
}

}  // namespace

std::optional<Beside> beside_published(const Subject& subject, const Findings& findings) {
  const auto& reference = subject.experiment.reference;
  if (!reference || reference->study.kind != spec::PublishedKind::scenarios) return std::nullopt;
  const auto& study = reference->study;
  const auto* floor = arm_beside(*reference, findings, study.floor);
  const auto* baseline = arm_beside(*reference, findings, study.baseline);
  SWAPRIG_ASSERT(floor != nullptr && baseline != nullptr);  // spec lets nobody leave them out
  const auto time = time_scale_of(*floor, *baseline);
  const auto drive = drive_scale_of(*floor, *baseline);

  Beside beside;
  beside.floor = beside_label(study.floor);
  beside.baseline = beside_label(study.baseline);
  for (const auto& published : study.scenarios) {
    auto row = row_beside(study, published);
    const auto* arm = arm_beside(*reference, findings, published.scenario);
    fill_own(row, arm, time, drive);
    beside.drive_times = beside.drive_times || (arm != nullptr && arm->places_swap && drive_seconds(*arm));
    beside.rows.push_back(std::move(row));
  }
  fill_sentences(beside, *reference, findings, time, drive);
  return beside;
}

std::string own_setup(const Subject& subject, const std::string& key) {
  const auto& experiment = subject.experiment;
  if (key == "workload") return printable_line(experiment.workload.summary);
  if (key == "guest")
    return over_scenarios(experiment, &spec::Guest::image,
                          [](const auto& image) { return "image " + printable_line(image); });
  if (key == "memory") return over_scenarios(experiment, &spec::Guest::memory, [](Bytes size) { return exact(size); });
  if (key == "vcpus") return over_scenarios(experiment, &spec::Guest::vcpus, [](int n) { return std::to_string(n); });
  if (key == "acceleration") return acceleration_in_words(subject);
  if (key == "drive") return drives_in_words(experiment);
  if (key == "bus") return buses_in_words(experiment);
  if (key == "swap") return swap_in_words(experiment);
  SWAPRIG_ASSERT(key == "runs");
  return fmt::format("{} of each case, the {} counts", experiment.runs.count,
                     experiment.runs.score == spec::Score::best ? "best" : "median");
}

}  // namespace swaprig::report
