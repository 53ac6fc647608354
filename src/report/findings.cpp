#include "report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "plan/plan.hpp"
#include "report/answer.hpp"
#include "report/attribution.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

using run::RunRecord;
using run::State;

constexpr std::size_t k_label_limit = 200;
constexpr std::int64_t k_page_bytes = 4096;

bool came_to_an_end(State state) {
  return state == State::valid || state == State::invalid || state == State::failed || state == State::unsupported;
}

Arm arm_of(const std::string& name, const spec::Scenario& scenario, bool baseline, bool aa) {
  Arm arm;
  arm.name = name;
  arm.label = printable_line(name, k_label_limit);
  arm.scenario = scenario.name;
  arm.baseline = baseline;
  arm.aa = aa;
  arm.places_swap = !scenario.swap.empty();
  return arm;
}

std::vector<Arm> arms_of(const spec::Experiment& experiment) {
  std::vector<Arm> arms;
  for (const auto& scenario : experiment.scenarios) {
    const bool baseline = scenario.name == experiment.baseline;
    arms.push_back(arm_of(scenario.name, scenario, baseline, false));
    if (baseline && experiment.runs.aa) {
      arms.push_back(arm_of(scenario.name + plan::k_aa_suffix, scenario, false, true));
    }
  }
  return arms;
}

/// A batch with `precision` plans fewer blocks than the file allows.
int planned_for_each(const Subject& subject, std::size_t arms) {
  const auto count = static_cast<int>(arms);
  const bool divides = count > 0 && subject.planned_runs > 0 && subject.planned_runs % count == 0;
  return divides ? subject.planned_runs / count : subject.experiment.runs.count;
}

/// The last attempt of each block.
std::map<int, const RunRecord*> last_attempts(const std::vector<const RunRecord*>& runs, const std::string& arm) {
  std::map<int, const RunRecord*> last;
  for (const auto* run : runs) {
    if (run->arm == arm && run->state != State::planned) last[run->block] = run;
  }
  return last;
}

std::optional<std::int64_t> median_bytes(std::vector<std::int64_t> pages) {
  if (pages.empty()) return std::nullopt;
  std::sort(pages.begin(), pages.end());
  const auto middle = pages.size() / 2;
  const auto twice = pages.size() % 2 == 1 ? 2 * pages[middle] : pages[middle - 1] + pages[middle];
  return twice * k_page_bytes / 2;
}

std::string why_blank(const std::map<int, const RunRecord*>& last) {
  if (last.empty()) return "no run was made";
  const auto* run = std::prev(last.end())->second;
  auto words = run::to_string(run->state);
  if (!run->reasons.empty()) words += ": " + printable_line(run->reasons.front().code, k_label_limit);
  return words;
}

std::vector<double> seconds_of(const Arm& arm) {
  std::vector<double> seconds;
  for (const auto& time : arm.times) seconds.push_back(time.seconds);
  return seconds;
}

void fill_times(Arm& arm, const std::vector<const RunRecord*>& runs, Findings& findings) {
  const auto last = last_attempts(runs, arm.name);
  std::vector<std::int64_t> in;
  std::vector<std::int64_t> out;
  for (const auto& [block, run] : last) {
    findings.final_runs += came_to_an_end(run->state);
    if (run->state != State::valid) continue;
    ++findings.valid_runs;
    arm.times.push_back({block, run->wall_seconds(), false});
    if (const auto pages = run::swap_in_pages(run->evidence)) in.push_back(*pages);
    if (const auto pages = run::swap_out_pages(run->evidence)) out.push_back(*pages);
  }
  arm.swapped_in_bytes = median_bytes(in);
  arm.swapped_out_bytes = median_bytes(out);
  if (arm.times.empty()) {
    arm.blank_because = why_blank(last);
    return;
  }
  arm.summary = stats::summarise(seconds_of(arm));
  for (const int index : arm.summary->outliers) arm.times[static_cast<std::size_t>(index)].outlier = true;
}

/// Scenarios with unequal n are compared by the expected best of the smallest n.
void fill_scores(Findings& findings, spec::Score score) {
  std::set<int> counts;
  for (const auto& arm : findings.arms) {
    if (arm.summary) counts.insert(arm.summary->count);
  }
  const bool by_best = score == spec::Score::best;
  findings.score_words = !by_best            ? "median"
                         : counts.size() > 1 ? fmt::format("expected best of {}", *counts.begin())
                                             : "best";
  for (auto& arm : findings.arms) {
    if (!arm.summary) continue;
    arm.score = by_best ? stats::expected_best(seconds_of(arm), *counts.begin()) : arm.summary->median;
  }
}

/// The valid run nearest to a number of seconds; of two that are as near the faster one.
const RunRecord* run_nearest(const std::vector<const RunRecord*>& runs, const Arm& arm, double seconds) {
  const RunRecord* nearest = nullptr;
  const auto distance = [&](const RunRecord* run) {
    return std::pair(std::abs(run->wall_seconds() - seconds), run->wall_seconds());
  };
  for (const auto& [block, run] : last_attempts(runs, arm.name)) {
    if (run->state != State::valid) continue;
    if (nearest == nullptr || distance(run) < distance(nearest)) nearest = run;
  }
  return nearest;
}

/// What the runs that give the scores did. An expected best has no run of its own: the best one stands for it.
void fill_work(const Subject& subject, const std::vector<const RunRecord*>& runs, Findings& findings) {
  const bool by_best = subject.experiment.runs.score == spec::Score::best;
  for (auto& arm : findings.arms) {
    if (!arm.summary) continue;
    arm.scored = run_nearest(runs, arm, by_best ? arm.summary->best : arm.summary->median);
    arm.work = work_of(subject.experiment, *arm.scored);
  }
  if (subject.experiment.workload.creation) return;  // why the whole workload took so long is no question there
  for (auto& arm : findings.arms) arm.attribution = attribution(arm, findings.baseline());
}

std::vector<stats::Pair> pairs_of(const Arm& baseline, const Arm& other) {
  std::map<int, double> times;
  for (const auto& time : baseline.times) times[time.block] = time.seconds;
  std::vector<stats::Pair> pairs;
  for (const auto& time : other.times) {
    if (const auto partner = times.find(time.block); partner != times.end()) {
      pairs.push_back({partner->second, time.seconds});
    }
  }
  return pairs;
}

void compare_with(const Arm& baseline, Arm& arm, double delta) {
  if (!arm.summary) return;
  const auto pairs = pairs_of(baseline, arm);
  const auto both = static_cast<int>(pairs.size());
  const int k = std::min(arm.summary->count, baseline.summary->count);
  arm.comparison = stats::compare(pairs, delta, stats::expected_best(seconds_of(baseline), k),
                                  stats::expected_best(seconds_of(arm), k));
  arm.dropped_pairs = arm.summary->count + baseline.summary->count - 2 * both;
}

/// The questions that the experiment asks: neither the A/A arm nor positions on a file are among them.
bool is_a_question(const Arm& arm) { return arm.comparison && !arm.aa && !arm.position_only; }

void fill_comparisons(Findings& findings) {
  const Arm* baseline = findings.baseline();
  if (baseline == nullptr || !baseline->summary) return;
  std::vector<stats::Comparison> questions;
  for (auto& arm : findings.arms) {
    if (arm.baseline) continue;
    compare_with(*baseline, arm, findings.delta);
    if (is_a_question(arm)) questions.push_back(*arm.comparison);
  }
  stats::adjust_holm(questions);
  findings.conclusion = stats::conclude(questions);
  auto next = questions.begin();
  for (auto& arm : findings.arms) {
    if (is_a_question(arm)) arm.comparison = *next++;
  }
}

/// Whether two scenarios that differ only in position differ in nothing that could matter.
bool position_means_nothing(const spec::Experiment& experiment, const spec::Scenario& scenario) {
  return std::none_of(scenario.swap.begin(), scenario.swap.end(), [&](const spec::SwapArea& area) {
    return experiment.drive(area.where.drive).position_means_something();
  });
}

void mark_positions(const Subject& subject, Findings& findings) {
  const auto& experiment = subject.experiment;
  for (auto& arm : findings.arms) {
    for (const auto& other : findings.arms) {
      if (arm.aa || other.aa || arm.name == other.name) continue;
      const auto& scenario = experiment.scenario(arm.scenario);
      if (!differ_only_in_position(scenario, experiment.scenario(other.scenario))) continue;
      if (!position_means_nothing(experiment, scenario)) continue;
      arm.position_only = arm.position_only || other.baseline;
      if (other.summary) arm.twins.push_back(other.label);
    }
  }
}

void rank(std::vector<Arm>& arms) {
  std::stable_sort(arms.begin(), arms.end(), [](const Arm& a, const Arm& b) {
    if (a.score && b.score) return *a.score < *b.score;
    return a.score.has_value() && !b.score.has_value();
  });
}

bool same_but_position(const spec::SwapArea& a, const spec::SwapArea& b) {
  return a.kind == b.kind && a.where.drive == b.where.drive && a.size == b.size && a.block == b.block &&
         a.priority == b.priority;
}

}  // namespace

std::optional<double> Arm::drive_time_s() const {
  const auto time = work ? swap_drive_time(*work) : std::nullopt;
  return time ? std::optional(time->busy_s) : std::nullopt;
}

const Arm* Findings::baseline() const {
  const auto found = std::find_if(arms.begin(), arms.end(), [](const Arm& arm) { return arm.baseline; });
  return found == arms.end() ? nullptr : &*found;
}

std::vector<const RunRecord*> in_order(const std::vector<RunRecord>& runs) {
  std::vector<const RunRecord*> ordered;
  for (const auto& run : runs) ordered.push_back(&run);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return std::tie(a->block, a->position, a->attempt) < std::tie(b->block, b->position, b->attempt);
  });
  return ordered;
}

bool differ_only_in_position(const spec::Scenario& a, const spec::Scenario& b) {
  return !a.swap.empty() && a.guest == b.guest && a.expect_swap == b.expect_swap &&
         std::equal(a.swap.begin(), a.swap.end(), b.swap.begin(), b.swap.end(), same_but_position);
}

Findings find(const Subject& subject) {
  Findings findings;
  findings.arms = arms_of(subject.experiment);
  findings.delta = stats::relevance_band(subject.earlier_aa_effects);
  const int planned = planned_for_each(subject, findings.arms.size());
  findings.planned_runs = planned * static_cast<int>(findings.arms.size());
  const auto runs = in_order(subject.runs);
  for (auto& arm : findings.arms) {
    arm.planned = planned;
    fill_times(arm, runs, findings);
  }
  for (const auto* run : runs) {
    if (run->state != State::valid && run->state != State::planned) findings.not_counted.push_back(run);
  }
  fill_scores(findings, subject.experiment.runs.score);
  fill_work(subject, runs, findings);
  mark_positions(subject, findings);
  fill_comparisons(findings);
  rank(findings.arms);
  findings.makings = find_makings(subject);
  findings.answer = answer(findings);
  findings.setting = setting(subject);
  findings.notes = notes(findings);
  findings.banners = banners(subject, findings);
  return findings;
}

}  // namespace swaprig::report
