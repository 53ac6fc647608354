#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.hpp"
#include "cli/verbs.hpp"
#include "history/change_points.hpp"
#include "history/gather.hpp"
#include "report/wording.hpp"
#include "stats/summary.hpp"

namespace swaprig::cli {

namespace {

using history::Series;
using history::Standing;
using Json = nlohmann::ordered_json;

constexpr std::size_t k_spark_nights = 30;

struct HistoryRequest {
  std::string experiment;
  bool json = false;
  std::string fail_on = "none";
};

/// An experiment over its nights, and the band that they were judged by.
struct Past {
  double delta = 0;
  std::vector<Series> series;
};

Past past_of(store::Store& store, const std::string& experiment) {
  const history::Stored stored{experiment, store.batches(experiment), store.timed_runs(experiment)};
  const auto delta = stats::relevance_band(history::aa_effects(stored));
  return {delta, history::gather(stored, delta)};
}

/// The last nights' scores, a gap where there is none.
std::string sparkline(const Series& series) {
  static constexpr std::array<const char*, 8> k_bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto count = std::min(series.nights.size(), k_spark_nights);
  const std::span last = std::span(series.nights).last(count);
  double least = 0;
  double most = 0;
  for (const auto& night : last) {
    if (!night.score) continue;
    least = least > 0 ? std::min(least, *night.score) : *night.score;
    most = std::max(most, *night.score);
  }
  std::string line;
  for (const auto& night : last) {
    if (!night.score) {
      line += "·";
      continue;
    }
    const double share = most > least ? (*night.score - least) / (most - least) : 0;
    line += k_bars[static_cast<std::size_t>(std::lround(share * (k_bars.size() - 1)))];
  }
  return line + std::string(k_spark_nights - count, ' ');
}

std::string standing_name(Standing standing) {
  switch (standing) {
    case Standing::no_score: return "no score";
    case Standing::early: return "early";
    case Standing::usual: return "usual";
    case Standing::suspect: return "suspect";
    case Standing::confirmed: return "confirmed";
  }
  return "";
}

/// "slower, confirmed", "faster, suspect", "as usual", "first nights": of the night at `at`.
std::string said_of(const Series& series, std::size_t at) {
  const auto& verdict = series.verdicts[at];
  switch (verdict.standing) {
    case Standing::no_score: return "no valid run";
    case Standing::early: return "too few nights";
    case Standing::usual: return "as usual";
    case Standing::suspect: return verdict.effect > 0 ? "slower, suspect" : "faster, suspect";
    case Standing::confirmed: break;
  }
  return std::string(verdict.effect > 0 ? "slower" : "faster") + (verdict.recovery ? ", back again" : ", confirmed");
}

std::string seconds(double value) { return report::figure_in_words(value) + " s"; }

std::string percent(double fraction) { return fmt::format("{:+.1f} %", 100 * fraction); }

void print_series(const Series& series) {
  const auto at = series.last_scored();
  const auto scored = std::count_if(series.nights.begin(), series.nights.end(), [](const auto& n) { return n.score.has_value(); });
  const auto* verdict = at ? &series.verdicts[*at] : nullptr;
  fmt::print("{:<32}  {:>7}  {}  {:>10}  {:>10}  {:>8}  {}\n", printable_line(series.arm, 32),
             fmt::format("{}/{}", scored, series.nights.size()), sparkline(series),
             at ? seconds(*series.nights[*at].score) : "",
             verdict != nullptr && verdict->usual ? seconds(*verdict->usual) : "",
             verdict != nullptr && verdict->usual ? percent(verdict->effect) : "",
             at ? said_of(series, series.nights.size() - 1) : "no valid run yet");
}

void print_changes(const Series& series) {
  for (std::size_t i = 0; i < series.nights.size(); ++i) {
    const auto& verdict = series.verdicts[i];
    const bool new_epoch = i > 0 && series.nights[i].epoch != series.nights[i - 1].epoch;
    if (new_epoch) {
      fmt::print("  {}  {}: other conditions from here (epoch {})\n", iso8601(series.nights[i].started).substr(0, 10),
                 printable_line(series.arm), series.nights[i].epoch);
    }
    if (verdict.standing != Standing::suspect && verdict.standing != Standing::confirmed) continue;
    fmt::print("  {}  {}: {}, {} against {} (batch {})\n", iso8601(series.nights[i].started).substr(0, 10),
               printable_line(series.arm), said_of(series, i), percent(verdict.effect),
               seconds(*verdict.usual), series.nights[i].batch);
  }
}

Json json_of(const Series& series, double delta) {
  Json nights = Json::array();
  std::vector<double> scores;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < series.nights.size(); ++i) {
    const auto& night = series.nights[i];
    const auto& verdict = series.verdicts[i];
    Json row{{"batch", night.batch},      {"started_utc", iso8601(night.started)}, {"epoch", night.epoch},
             {"score_s", night.score ? Json(*night.score) : Json()}, {"valid", night.valid}, {"planned", night.planned},
             {"standing", standing_name(verdict.standing)}};
    row["usual_s"] = verdict.usual ? Json(*verdict.usual) : Json();
    row["effect"] = verdict.usual ? Json(verdict.effect) : Json();
    row["allowed"] = verdict.usual ? Json(verdict.allowed) : Json();
    row["recovery"] = verdict.recovery;
    nights.push_back(std::move(row));
    if (night.score && night.epoch == series.nights.back().epoch) {
      scores.push_back(*night.score);
      places.push_back(i);
    }
  }
  Json levels = Json::array();
  for (const auto& level : history::levels(scores, delta)) {
    levels.push_back({{"from_batch", series.nights[places[level.begin]].batch},
                      {"to_batch", series.nights[places[level.end - 1]].batch},
                      {"median_s", level.seconds}});
  }
  return {{"scenario", series.arm}, {"nights", nights}, {"levels_of_last_epoch", levels}};
}

/// The last night of any series counts, whatever came before it.
ExitCode exit_code(const std::vector<Series>& all, const std::string& fail_on) {
  const auto any = [&](auto&& test) {
    return std::any_of(all.begin(), all.end(), [&](const Series& series) { return test(series.nights.back(), series.verdicts.back()); });
  };
  if (fail_on == "regression" && any([](const auto&, const auto& verdict) {
        return verdict.standing == Standing::confirmed && verdict.effect > 0;
      })) {
    return ExitCode::regression;
  }
  if (fail_on == "invalid" && any([](const auto& night, const auto&) { return night.valid < night.planned; })) {
    return ExitCode::runs_failed;
  }
  return ExitCode::ok;
}

ExitCode show_history(Session& session, const HistoryRequest& request) {
  auto store = session.stored_results();
  const auto name = session.load_experiment(request.experiment).name;
  const auto past = past_of(store, name);
  if (past.series.empty()) throw UsageError("experiment " + printable_line(name) + " has no runs yet");
  if (request.json) {
    Json series = Json::array();
    for (const auto& one : past.series) series.push_back(json_of(one, past.delta));
    fmt::print("{}\n", Json{{"schema_version", 1}, {"experiment", name}, {"delta", past.delta}, {"series", series}}.dump(2));
  } else {
    fmt::print("{:<32}  {:>7}  {:<30}  {:>10}  {:>10}  {:>8}  {}\n", "scenario", "nights", "last 30 nights", "last",
               "usual", "change", "last night");
    for (const auto& series : past.series) print_series(series);
    fmt::print("\n");
    for (const auto& series : past.series) print_changes(series);
  }
  return exit_code(past.series, request.fail_on);
}

bool stands_out(const Series& series) {
  const auto standing = series.verdicts.back().standing;
  return standing == Standing::suspect || standing == Standing::confirmed;
}

ExitCode show_regressions(Session& session, const HistoryRequest& request) {
  auto store = session.stored_results();
  Json rows = Json::array();
  std::vector<Series> all;
  for (const auto& experiment : store.experiments()) {
    for (auto& series : past_of(store, experiment.name).series) all.push_back(std::move(series));
  }
  for (const auto& series : all) {
    if (!stands_out(series)) continue;
    const auto& verdict = series.verdicts.back();
    if (request.json) {
      rows.push_back({{"experiment", series.experiment}, {"scenario", series.arm}, {"batch", series.nights.back().batch},
                      {"standing", standing_name(verdict.standing)}, {"effect", verdict.effect},
                      {"usual_s", *verdict.usual}, {"score_s", *series.nights.back().score}, {"recovery", verdict.recovery}});
    } else {
      fmt::print("{:<24}  {:<32}  {:>8}  {}\n", printable_line(series.experiment, 24), printable_line(series.arm, 32),
                 percent(verdict.effect), said_of(series, series.nights.size() - 1));
    }
    }
  if (request.json) {
    fmt::print("{}\n", Json{{"schema_version", 1}, {"changes", rows}}.dump(2));
  } else if (std::none_of(all.begin(), all.end(), stands_out)) {
    fmt::print("no change in the last night of any of {} series\n", all.size());
  }
  return exit_code(all, request.fail_on);
}

void add_common(CLI::App& verb, HistoryRequest& request) {
  verb.add_flag("--json", request.json, "Print JSON");
  verb.add_option("--fail-on", request.fail_on, "What makes the exit code other than 0: regression (3), invalid (1), none")
      ->check(CLI::IsMember({"regression", "invalid", "none"}));
}

}  // namespace

Verb add_history(CLI::App& app) {
  auto* verb = app.add_subcommand("history", "Show an experiment night by night: suspects, confirmed changes");
  auto request = std::make_shared<HistoryRequest>();
  verb->add_option("EXPERIMENT", request->experiment, "A TOML file, or the name of a stored experiment")->required();
  add_common(*verb, *request);
  return {verb, [request](Session& session) { return show_history(session, *request); }};
}

Verb add_regressions(CLI::App& app) {
  auto* verb = app.add_subcommand("regressions", "List what changed in the last night of every stored experiment");
  auto request = std::make_shared<HistoryRequest>();
  add_common(*verb, *request);
  return {verb, [request](Session& session) { return show_regressions(session, *request); }};
}

}  // namespace swaprig::cli
