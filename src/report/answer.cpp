#include "report/answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/wording.hpp"

namespace swaprig::report {

namespace {

using stats::Word;

using Arms = std::vector<const Arm*>;

bool has_word(const Arm& arm, Word word) {
  return arm.comparison && !arm.position_only && arm.comparison->word == word;
}

/// A name, and the names that no verdict on a file-backed drive can tell from it.
std::string with_twins(const Arm& arm) {
  auto words = quoted(arm.label);
  if (arm.twins.empty()) return words;
  std::string twins;
  for (const auto& twin : arm.twins) twins += (twins.empty() ? "" : ", ") + quoted(twin);
  return fmt::format("{} (or {}: position means nothing here)", words, twins);
}

bool is_twin_of(const Arm& arm, const Arms& others) {
  return std::any_of(others.begin(), others.end(), [&](const Arm* other) {
    return std::find(arm.twins.begin(), arm.twins.end(), other->label) != arm.twins.end();
  });
}

/// Scenarios with valid runs, fastest first. Where something places swap, a scenario without it is a reference and no
/// answer to "where"; of those that differ only in position on a file one stands for all.
Arms candidates_of(const Findings& findings) {
  Arms timed;
  for (const auto& arm : findings.arms) {
    if (arm.summary && !arm.aa && !arm.position_only && !is_twin_of(arm, timed)) timed.push_back(&arm);
  }
  Arms placements;
  std::copy_if(timed.begin(), timed.end(), std::back_inserter(placements),
               [](const Arm* arm) { return arm->places_swap; });
  return placements.size() > 1 ? placements : timed;
}

std::string with_interval(const stats::Comparison& comparison) {
  auto words = effect_in_words(comparison);
  if (comparison.interval95) words += fmt::format(", 95 % interval {}", interval_in_words(*comparison.interval95));
  return words;
}

std::string in_pairs(const stats::Comparison& comparison) { return counted(comparison.pairs, "pair") + " of runs"; }

std::string names_of(const Arms& arms) {
  std::string names;
  for (const auto* arm : arms) {
    names += (names.empty() ? "" : ", ") + quoted(arm->label);
    if (arm->comparison) names += " (" + effect_in_words(*arm->comparison) + ")";
  }
  return names;
}

Arms with_word(const Arms& arms, Word word) {
  Arms found;
  std::copy_if(arms.begin(), arms.end(), std::back_inserter(found),
               [word](const Arm* arm) { return has_word(*arm, word); });
  return found;
}

/// The runner-up was compared with the baseline only; whether the leader beats it is a question of its own.
bool beats_the_next(const Arm& leader, const Arms& candidates, double delta) {
  if (candidates.size() < 2 || candidates[1]->baseline) return true;
  const Arm& next = *candidates[1];
  std::vector<stats::Pair> pairs;
  for (const auto& mine : leader.times) {
    for (const auto& other : next.times) {
      if (mine.block == other.block) pairs.push_back({other.seconds, mine.seconds});
    }
  }
  return stats::compare(pairs, delta, *next.score, *leader.score).word == Word::faster;
}

std::string nothing_valid(const Findings& findings) {
  if (findings.not_counted.empty()) return "Nothing was measured yet: no run has ended.";
  std::string reasons;
  for (const auto& arm : findings.arms) {
    if (reasons.find(arm.blank_because) == std::string::npos)
      reasons += (reasons.empty() ? "" : "; ") + arm.blank_because;
  }
  return fmt::format("Nothing was measured: none of {} counts ({}).",
                     counted(static_cast<int>(findings.not_counted.size()), "run"), reasons);
}

std::string no_baseline(const Findings& findings, const Arms& timed) {
  const Arm* baseline = findings.baseline();
  const auto why = baseline == nullptr ? std::string("no baseline is named")
                                       : fmt::format("the baseline {} has no valid run ({})", quoted(baseline->label),
                                                     baseline->blank_because);
  return fmt::format("No comparison is possible, since {}; the lowest time is {} for {}.", why,
                     score_in_words(*timed.front()), quoted(timed.front()->label));
}

std::string no_relevant_change(const Findings& findings) {
  return fmt::format("Measured, no relevant change: every scenario lies within ±{} of {} (90 % intervals).",
                     percent(findings.delta), quoted(findings.baseline()->label));
}

/// "73 % less time"
std::string difference_in_words(const stats::Comparison& comparison) {
  auto size = effect_in_words(comparison);
  if (size.starts_with("−")) return size.substr(std::string("−").size()) + " less time";
  if (size.starts_with("+")) size.erase(0, 1);
  return size + " more time";
}

/// "the fastest placement", where both are one.
const char* superlative(const Arm& a, const Arm& b) {
  return a.places_swap && b.places_swap ? "the fastest placement" : "the fastest";
}

bool few_pairs(const Arm& arm) {
  return arm.comparison->pairs > 0 && arm.comparison->pairs < stats::k_pairs_for_a_verdict;
}

/// With fewer than four pairs nothing is decided, however large the difference looks.
std::string few_runs(const Findings& findings, const Arm& leader, const Arm& other) {
  const auto& compared = leader.baseline ? other : leader;
  const auto& comparison = *compared.comparison;
  const auto start = comparison.pairs == 1 ? std::string("One run each, no spread")
                                           : fmt::format("Indication only, from {}", in_pairs(comparison));
  const auto score = findings.score_words + (findings.score_words.starts_with("expected") ? ":" : "");
  return fmt::format(
      "{}: {} was {}, {} {} against {} for {} (paired difference of {}: {}); a verdict needs at least {} runs "
      "of each.",
      start, with_twins(leader), superlative(leader, other), score, score_in_words(leader), score_in_words(other),
      quoted(other.label), quoted(compared.label), effect_in_words(comparison), stats::k_pairs_for_a_verdict);
}

std::string measured(const Arm& arm, const Arm& baseline) {
  const auto& comparison = *arm.comparison;
  return fmt::format("{} than {} (95 % interval {}, {})", difference_in_words(comparison), quoted(baseline.label),
                     interval_in_words(*comparison.interval95), in_pairs(comparison));
}

std::string leader_stands_out(const Findings& findings, const Arms& candidates) {
  const auto& leader = *candidates.front();
  const auto& baseline = *findings.baseline();
  const auto words = measured(leader, baseline);
  if (beats_the_next(leader, candidates, findings.delta)) {
    const auto& next = candidates.size() > 1 ? *candidates[1] : leader;
    return fmt::format("{} is {}: {}.", with_twins(leader), superlative(leader, next), words);
  }
  return fmt::format("{} takes {}, but is not shown to be faster than {}.", with_twins(leader), words,
                     quoted(candidates[1]->label));
}

std::string baseline_is_fastest(const Arm& baseline, const Arm& next) {
  return fmt::format("{} is {}: the next, {}, takes {}.", with_twins(baseline), superlative(baseline, next),
                     quoted(next.label), measured(next, baseline));
}

std::string not_shown(const Findings& findings, const Arm& nearest, const Arms& slower) {
  const auto& comparison = *nearest.comparison;
  const auto& baseline = *findings.baseline();
  if (comparison.pairs == 0) {
    return fmt::format("No difference shown: {} and {} have no block in which both are valid.", quoted(nearest.label),
                       quoted(baseline.label));
  }
  const auto start = slower.empty() ? std::string("No difference shown")
                                    : fmt::format("No placement is shown to be faster than {}", quoted(baseline.label));
  auto sentence = fmt::format("{}: {} is {} ({}, {})", start, quoted(nearest.label), verdict_in_words(nearest),
                              with_interval(comparison), in_pairs(comparison));
  if (comparison.runs_to_settle && *comparison.runs_to_settle > comparison.pairs) {
    sentence += fmt::format("; about {} of each would settle it", counted(*comparison.runs_to_settle, "run"));
  }
  if (!slower.empty()) sentence += "; slower: " + names_of(slower);
  return sentence + ".";
}

std::string about_the_baseline(const Findings& findings, const Arm& baseline, const Arms& others) {
  if (few_pairs(*others.front())) return few_runs(findings, baseline, *others.front());
  const auto slower = with_word(others, Word::slower);
  const auto undecided =
      std::find_if(others.begin(), others.end(), [](const Arm* arm) { return !has_word(*arm, Word::slower); });
  return undecided == others.end() ? baseline_is_fastest(baseline, *others.front())
                                   : not_shown(findings, **undecided, slower);
}

std::string about_the_fastest(const Findings& findings) {
  const auto candidates = candidates_of(findings);
  const Arm& leader = *candidates.front();
  const Arm& baseline = *findings.baseline();
  if (leader.baseline) return about_the_baseline(findings, leader, Arms(candidates.begin() + 1, candidates.end()));
  if (few_pairs(leader)) return few_runs(findings, leader, baseline);
  const bool baseline_is_no_placement = has_word(leader, Word::slower) && !baseline.places_swap;
  if (has_word(leader, Word::faster) || baseline_is_no_placement) return leader_stands_out(findings, candidates);
  return not_shown(findings, leader, with_word(candidates, Word::slower));
}

/// One note for twins, at the slower one.
bool is_twin_before(const Arm& arm, const Findings& findings) {
  Arms before;
  for (const auto& other : findings.arms) {
    if (other.name == arm.name) break;
    before.push_back(&other);
  }
  return is_twin_of(arm, before);
}

}  // namespace

std::string answer(const Findings& findings) {
  if (!findings.makings.empty()) {
    const auto* first = findings.baseline();
    const auto words = making_answer(findings.makings, first != nullptr ? first->name : "");
    return words.empty() ? nothing_valid(findings) : words;
  }
  Arms timed;
  for (const auto& arm : findings.arms) {
    if (arm.summary && !arm.aa) timed.push_back(&arm);
  }
  if (timed.empty()) return nothing_valid(findings);
  const Arm* baseline = findings.baseline();
  if (baseline == nullptr || !baseline->summary) return no_baseline(findings, timed);
  if (timed.size() == 1) {
    return fmt::format("{} took {} ({} of {}); there is nothing to compare it with.", quoted(baseline->label),
                       score_in_words(*baseline), findings.score_words, counted(baseline->summary->count, "run"));
  }
  if (findings.conclusion == stats::Conclusion::nothing_compared) {
    return "No verdict: the scenarios differ only in where swap lies on a file, and position on a file means nothing.";
  }
  if (findings.conclusion == stats::Conclusion::no_relevant_change) return no_relevant_change(findings);

  return about_the_fastest(findings);
}

std::string setting(const Subject& subject) {
  const auto& experiment = subject.experiment;
  std::string accel;
  for (const auto& run : subject.runs) {
    if (!run.evidence.acceleration.empty()) accel = run.evidence.acceleration;
  }
  const char* order = experiment.runs.order == spec::Order::mirrored ? "mirrored"
                      : experiment.runs.order == spec::Order::random ? "random"
                                                                     : "sequential";
  auto text = fmt::format("{} · guest with {} of memory and {}", experiment.workload.summary,
                          exact(experiment.guest.memory), counted(experiment.guest.vcpus, "vcpu"));
  if (accel == "tcg") text += ", emulated CPU (TCG)";
  if (accel == "kvm") text += ", KVM";
  return text + fmt::format(" · {}, {} order", counted(experiment.runs.count, "block"), order);
}

std::vector<std::string> notes(const Findings& findings) {
  if (!findings.makings.empty()) {
    const auto* first = findings.baseline();
    return making_notes(findings.makings, first != nullptr ? first->name : "");
  }
  std::vector<std::string> notes;
  for (const auto& arm : findings.arms) {
    const auto name = quoted(arm.label);
    if (!arm.summary) {
      notes.push_back(fmt::format("{} has no time: {}.", name, arm.blank_because));
      continue;
    }
    if (arm.position_only) {
      notes.push_back(fmt::format("{} differs from {} only in its position on a file, which means nothing: no verdict.",
                                  name, quoted(findings.baseline()->label)));
    }
    if (!arm.position_only && !arm.baseline && is_twin_before(arm, findings)) {
      notes.push_back(fmt::format(
          "{} differs from {} only in its position on a file, which means nothing: no verdict between them.", name,
          quoted(arm.twins.front())));
    }
    if (arm.dropped_pairs > 0) {
      notes.push_back(
          fmt::format("{}: {} left out of the comparison, since the partner in the same block is not valid.", name,
                      counted(arm.dropped_pairs, "run")));
    }
    if (arm.summary->lucky_best) {
      notes.push_back(fmt::format("{}: the best is a lucky one, far below the median.", name));
    }
  }
  if (findings.score_words.starts_with("expected")) {
    notes.push_back(
        fmt::format("The scenarios have unequal numbers of valid runs, and a best falls as runs are added: they "
                    "are ranked by the {}.",
                    findings.score_words));
  }
  return notes;
}

}  // namespace swaprig::report
