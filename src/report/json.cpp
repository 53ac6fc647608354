#include <map>

#include "report/json_parts.hpp"
#include "report/run_course.hpp"
#include "report/run_figures.hpp"
#include "report/schema.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

Json range_or_null(const std::optional<std::pair<double, double>>& range) {
  return range ? Json::array({range->first, range->second}) : Json(nullptr);
}

const char* word_of(spec::Order order) {
  switch (order) {
    case spec::Order::mirrored:
      return "mirrored";
    case spec::Order::random:
      return "random";
    case spec::Order::sequential:
      return "sequential";
  }
  return "";
}

Json experiment_of(const Subject& subject) {
  const auto& experiment = subject.experiment;
  return {{"name", experiment.name},
          {"title", experiment.title},
          {"baseline", experiment.baseline},
          {"workload", experiment.workload.summary},
          {"order", word_of(experiment.runs.order)},
          {"seed", experiment.runs.seed},
          {"score", experiment.runs.score == spec::Score::best ? "best" : "median"},
          {"aa", experiment.runs.aa},
          {"image", experiment.guest.image},
          {"image_digest", subject.image_digest},
          {"toml", experiment.text}};
}

Json comparison_of(const Arm& arm) {
  if (!arm.comparison) return nullptr;
  const auto& comparison = *arm.comparison;
  const bool measured = comparison.pairs > 0;
  const bool undecided = comparison.word == stats::Word::inconclusive;
  return {{"pairs", comparison.pairs},
          {"dropped_runs", arm.dropped_pairs},
          {"ratio", measured ? Json(1 + comparison.effect) : Json(nullptr)},
          {"effect", measured ? Json(comparison.effect) : Json(nullptr)},
          {"effect_interval_95", range_or_null(comparison.interval95)},
          {"effect_interval_90", range_or_null(comparison.interval90)},
          {"log_deviation", or_null(comparison.deviation)},
          {"p", or_null(comparison.p)},
          {"p_holm", or_null(comparison.p_holm)},
          {"runs_to_settle", undecided ? or_null(comparison.runs_to_settle) : Json(nullptr)}};
}

Json summary_of(const Arm& arm) {
  if (!arm.summary) return nullptr;
  const auto& summary = *arm.summary;
  return {{"best_s", summary.best},
          {"median_s", summary.median},
          {"mad_s", summary.mad},
          {"max_s", summary.worst},
          {"deviation_s", or_null(summary.deviation)},
          {"median_interval_95_s", range_or_null(summary.median_interval)},
          {"lucky_best", summary.lucky_best}};
}

Json arm_of(const Arm& arm) {
  Json times = Json::array();
  for (const auto& time : arm.times) {
    times.push_back({{"block", time.block}, {"wall_s", time.seconds}, {"outlier", time.outlier}});
  }
  return {{"scenario", arm.name},
          {"runs_scenario", arm.scenario},
          {"baseline", arm.baseline},
          {"aa", arm.aa},
          {"planned_runs", arm.planned},
          {"valid_runs", arm.times.size()},
          {"differs_only_in_position_from", arm.twins},
          {"score_s", or_null(arm.score)},
          {"summary", summary_of(arm)},
          {"times", times},
          {"swapped_in_bytes_median", or_null(arm.swapped_in_bytes)},
          {"swapped_out_bytes_median", or_null(arm.swapped_out_bytes)},
          {"comparison", comparison_of(arm)},
          {"verdict", verdict_in_words(arm)},
          {"blank_because", arm.summary ? Json(nullptr) : Json(arm.blank_because)},
          {"drive_time_s", or_null(arm.drive_time_s())},
          {"why", why_of(arm)},
          {"course", course_json(arm)}};
}

Json run_of(const run::RunRecord& run, const spec::Experiment& experiment, std::optional<int> place) {
  const auto figures = figures_of(run, experiment);
  Json reasons = Json::array();
  for (const auto& reason : run.reasons) reasons.push_back({{"code", reason.code}, {"text", reason.text}});
  return {{"run", run.id},
          {"block", run.block},
          {"position", run.position},
          {"attempt", run.attempt},
          {"scenario", run.arm},
          {"runs_scenario", run.scenario},
          {"state", run::to_string(run.state)},
          {"reasons", reasons},
          {"judge_version", run.judge_version},
          {"started_utc", or_null(figures.started_utc)},
          {"ended_utc", or_null(figures.ended_utc)},
          {"wall_s", or_null(figures.wall_s)},
          {"user_s", or_null(figures.user_s)},
          {"sys_s", or_null(figures.sys_s)},
          {"host_wall_s", or_null(figures.host_wall_s)},
          {"peak_memory_bytes", or_null(figures.peak_memory_bytes)},
          {"major_faults", or_null(figures.major_faults)},
          {"pswpin_pages", or_null(figures.pswpin_pages)},
          {"pswpout_pages", or_null(figures.pswpout_pages)},
          {"boot_s", or_null(figures.boot_s)},
          {"place_swap_s", or_null(figures.place_swap_s)},
          {"settle_s", or_null(figures.settle_s)},
          {"swapoff_s", or_null(figures.swapoff_s)},
          {"accel", run.evidence.acceleration.empty() ? Json(nullptr) : Json(run.evidence.acceleration)},
          {"o_direct", figures.o_direct},
          {"drive_busy_s", or_null(figures.drive_busy_s)},
          {"place", or_null(place)},
          {"evidence", Json::parse(run::evidence_to_json(run.evidence))}};
}

/// Of each run, by its address: where it came in the order of the runs.
std::map<const run::RunRecord*, int> places_of(const Subject& subject) {
  std::map<const run::RunRecord*, int> places;
  for (const auto& one : run_order(subject)) places[one.run] = one.place;
  return places;
}

const char* conclusion_of(stats::Conclusion conclusion) {
  switch (conclusion) {
    case stats::Conclusion::difference:
      return "difference";
    case stats::Conclusion::no_relevant_change:
      return "measured, no relevant change";
    case stats::Conclusion::no_difference_shown:
      return "no difference shown";
    case stats::Conclusion::nothing_compared:
      return "nothing compared";
  }
  return "";
}

}  // namespace

std::string to_json(const Subject& subject) {
  const auto findings = find(subject);
  Json document{{"schema", k_schema},
                {"schema_version", k_schema_version},
                {"swaprig_version", subject.swaprig_version},
                {"batch", subject.batch},
                {"started_utc", iso8601(subject.started)},
                {"ended_utc", subject.ended ? Json(iso8601(*subject.ended)) : Json(nullptr)},
                {"experiment", experiment_of(subject)},
                {"answer", findings.answer},
                {"conclusion", conclusion_of(findings.conclusion)},
                {"delta", findings.delta},
                {"score_is", findings.score_words},
                {"planned_runs", findings.planned_runs},
                {"final_runs", findings.final_runs},
                {"valid_runs", findings.valid_runs},
                {"banners", Json::array()},
                {"notes", findings.notes},
                {"reference", reference_json(subject, findings)},
                {"host", Json::object()},
                {"scenarios", Json::array()},
                {"runs", Json::array()}};
  for (const auto& banner : findings.banners) {
    document["banners"].push_back({{"code", banner.code}, {"title", banner.title}, {"text", banner.text}});
  }
  for (const auto& [name, value] : subject.host_facts) document["host"][name] = value;
  for (const auto& arm : findings.arms) document["scenarios"].push_back(arm_of(arm));
  if (!findings.makings.empty()) document["makings"] = makings_of(findings);
  const auto places = places_of(subject);
  for (const auto* run : in_order(subject.runs)) {
    const auto place = places.find(run);
    document["runs"].push_back(
        run_of(*run, subject.experiment, place == places.end() ? std::nullopt : std::optional(place->second)));
  }
  // Guests send what they like: broken UTF-8 becomes U+FFFD instead of an exception.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace swaprig::report
