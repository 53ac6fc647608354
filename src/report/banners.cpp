#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

bool emulated(const run::RunRecord& run) { return run.evidence.acceleration == "tcg"; }

std::vector<std::string> names_of_files(const spec::Experiment& experiment) {
  std::vector<std::string> names;
  for (const auto& drive : experiment.drives) {
    if (!drive.position_means_something()) names.push_back(quoted(printable_line(drive.name)));
  }
  return names;
}

void add_emulated(const Subject& subject, std::vector<Banner>& banners) {
  if (std::none_of(subject.runs.begin(), subject.runs.end(), emulated)) return;
  banners.push_back(
      {"emulated", "Emulated CPU (TCG)",
       "The guests ran under software emulation, without KVM. Times on this page compare with each other, not "
       "with a real machine."});
}

void add_position(const Subject& subject, std::vector<Banner>& banners) {
  const auto names = names_of_files(subject.experiment);
  if (names.empty()) return;
  const bool one = names.size() == 1;
  banners.push_back({"position", one ? "File-backed drive" : "File-backed drives",
                     fmt::format("{} {} means nothing. Scenarios that differ only in position get no verdict.",
                                 join(names, ", "),
                                 one ? "is a file on the host: position on this drive"
                                     : "are files on the host: position on these drives")});
}

/// "hdd" (wd20earx), "ssd" (vertex4, all delays times 2)
std::string simulated_drives(const spec::Experiment& experiment) {
  std::vector<std::string> words;
  for (const auto& drive : experiment.drives) {
    const auto* simulated = drive.simulated();
    if (simulated == nullptr) continue;
    auto model = printable_line(simulated->profile.title);
    if (simulated->time_scale != 1) model += fmt::format(", all delays times {:g}", simulated->time_scale);
    words.push_back(fmt::format("{} ({})", quoted(printable_line(drive.name)), model));
  }
  return join(words, ", ");
}

bool has_delays(const spec::Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.drives.begin(), experiment.drives.end(), [&](const spec::Drive& drive) {
    return drive.name == name && drive.simulated() != nullptr &&
           drive.simulated()->profile.parameters.kind != simdrive::DriveKind::null;
  });
}

bool served_behind_others(const spec::Experiment& experiment, const run::RunRecord& run) {
  const auto& drives = run.evidence.host_after.drives;
  return std::any_of(drives.begin(), drives.end(), [&](const auto& drive) {
    return drive.simulated && !drive.simulated->realtime && has_delays(experiment, drive.drive);
  });
}

void add_overridden(const Subject& subject, std::vector<Banner>& banners) {
  for (const auto& [name, value] : subject.host_facts) {
    if (name != k_overridden) continue;
    banners.push_back({"overridden", "Overridden checks",
                       "Whoever ran this overrode what spoke against using a drive: " + printable_line(value) + "."});
  }
}

void add_simulated(const Subject& subject, std::vector<Banner>& banners) {
  const auto drives = simulated_drives(subject.experiment);
  if (drives.empty()) return;
  auto text = fmt::format("{}: their timing is computed from published or assumed figures of such drives. No real drive "
                          "was measured.",
                          drives);
  if (std::any_of(subject.runs.begin(), subject.runs.end(),
                  [&](const auto& run) { return served_behind_others(subject.experiment, run); })) {
    text += " Their server had no real-time priority: on a busy host single requests may have been late by a millisecond and more.";
  }
  banners.push_back({"simulated", "Simulated drives", text});
}

void add_quick(const Subject& subject, std::vector<Banner>& banners) {
  if (subject.experiment.extent != spec::Extent::quick) return;
  banners.push_back({"quick", "Quick look",
                     "One block, with less work where the experiment says how: this shows that the experiment runs and "
                     "roughly what comes out. It is no result, and is kept apart from whole ones."});
}

/// Scenarios that place swap, may go without traffic, and did.
void add_idle_swap(const Subject& subject, const Findings& findings, std::vector<Banner>& banners) {
  std::vector<std::string> idle;
  for (const auto& arm : findings.arms) {
    if (!arm.places_swap || arm.aa || arm.scored == nullptr || !arm.swapped_in_bytes || !arm.swapped_out_bytes) continue;
    if (subject.experiment.scenario(arm.scenario).expect_swap) continue;
    const auto least = arm.scored->evidence.min_swap_bytes;
    if (*arm.swapped_in_bytes < least || *arm.swapped_out_bytes < least) idle.push_back(quoted(arm.label));
  }
  if (idle.empty()) return;
  banners.push_back({"idle-swap", "Swap was not exercised",
                     fmt::format("In {} less was swapped than min_swap asks for elsewhere: {}. {} no times on this page say "
                                 "anything about where swap belongs.",
                                 counted(static_cast<int>(idle.size()), "scenario"), join(idle, ", "),
                                 idle.size() == 1 ? "Of it," : "Of these,")});
}

void add_partial(const Subject& subject, const Findings& findings, std::vector<Banner>& banners) {
  const int missing = findings.planned_runs - findings.final_runs;
  if (missing <= 0) return;
  banners.push_back({"partial", subject.ended ? "Partial" : "Interrupted or still running",
                     fmt::format("{} of {} ended; {} missing. Running the experiment again continues it.",
                                 findings.final_runs, counted(findings.planned_runs, "planned run"),
                                 missing == 1 ? "1 is" : fmt::format("{} are", missing))});
}

void add_not_counted(const Findings& findings, std::vector<Banner>& banners) {
  if (findings.not_counted.empty()) return;
  std::map<std::string, int> states;
  for (const auto* run : findings.not_counted) ++states[run::to_string(run->state)];
  std::string words;
  for (const auto& [state, count] : states) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, state);
  const auto count = static_cast<int>(findings.not_counted.size());
  banners.push_back({"not-counted", fmt::format("{} not counted", counted(count, "run")),
                     fmt::format("{}. {} listed below, with the reason and the end of the log.", words,
                                 count == 1 ? "It is" : "They are")});
}

void add_aa(const Findings& findings, std::vector<Banner>& banners) {
  for (const auto& arm : findings.arms) {
    if (!arm.aa || !arm.comparison || arm.comparison->pairs == 0) continue;
    const auto& comparison = *arm.comparison;
    auto text =
        fmt::format("The baseline ran twice in each block, and the two arms differ by {}", effect_in_words(comparison));
    if (comparison.interval95) text += fmt::format(" (95 % interval {})", interval_in_words(*comparison.interval95));
    text += ": no smaller difference on this page means anything.";
    if (comparison.word == stats::Word::faster || comparison.word == stats::Word::slower) {
      text += " The two arms are the same and still come out as different: trust no verdict here.";
    }
    banners.push_back({"aa", "A/A noise floor", text});
  }
}

}  // namespace

std::vector<Banner> banners(const Subject& subject, const Findings& findings) {
  std::vector<Banner> banners;
  add_quick(subject, banners);
  add_emulated(subject, banners);
  add_overridden(subject, banners);
  add_simulated(subject, banners);
  add_position(subject, banners);
  add_idle_swap(subject, findings, banners);
  add_partial(subject, findings, banners);
  add_not_counted(findings, banners);
  add_aa(findings, banners);
  return banners;
}

}  // namespace swaprig::report
