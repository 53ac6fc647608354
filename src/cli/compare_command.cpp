#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/verbs.hpp"
#include "history/epoch.hpp"
#include "history/gather.hpp"
#include "report/wording.hpp"
#include "stats/summary.hpp"

namespace swaprig::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareRequest {
  std::string first;
  std::string second;
  bool across_epochs = false;
  bool json = false;
};

/// The valid times of a batch by arm, in seconds, and the scenario of each.
struct BatchTimes {
  store::BatchRow batch;
  std::map<std::string, std::vector<double>> seconds;
  std::map<std::string, std::string> scenarios;
};

/// A batch's id, or an experiment: its last batch.
BatchTimes times_of(Session& session, store::Store& store, const std::string& name) {
  auto batch = store.batch(name);
  if (!batch) batch = store.batch(session.last_batch(store, name));
  BatchTimes times;
  times.batch = std::move(*batch);
  for (const auto& run : store.timed_runs(times.batch.experiment)) {
    if (run.batch != times.batch.id) continue;
    times.scenarios[run.arm] = run.scenario;
    if (run.valid) times.seconds[run.arm].push_back(run.seconds);
  }
  return times;
}

std::vector<std::string> differences(const BatchTimes& first, const BatchTimes& second, const std::string& arm) {
  const auto facts = [&](const BatchTimes& times) {
    return history::stable_facts(times.batch.host_facts, times.batch.canonical, times.batch.files, times.scenarios.at(arm));
  };
  return history::differences(facts(first), facts(second));
}

std::string word_of(const stats::Comparison& comparison) {
  switch (comparison.word) {
    case stats::Word::faster: return "faster";
    case stats::Word::slower: return "slower";
    case stats::Word::equivalent: return "equivalent";
    case stats::Word::inconclusive: return "inconclusive";
    case stats::Word::indication_only: return "indication only";
    case stats::Word::one_run: return "one run, no spread";
    case stats::Word::no_pairs: return "no valid run";
  }
  return "";
}

struct ComparedArm {
  std::string arm;
  std::vector<double> before;
  std::vector<double> after;
  stats::Comparison comparison;
};

/// Of the arms that both batches have.
std::vector<ComparedArm> rows_of(const BatchTimes& first, const BatchTimes& second, double delta) {
  std::vector<ComparedArm> rows;
  for (const auto& [arm, scenario] : first.scenarios) {
    if (!second.scenarios.contains(arm)) continue;
    const auto seconds = [&](const BatchTimes& times) {
      const auto found = times.seconds.find(arm);
      return found == times.seconds.end() ? std::vector<double>() : found->second;
    };
    ComparedArm row{arm, seconds(first), seconds(second), {}};
    const auto best = [](const auto& values) { return values.empty() ? 0 : *std::min_element(values.begin(), values.end()); };
    row.comparison = stats::compare_unpaired(row.before, row.after, delta, best(row.before), best(row.after));
    rows.push_back(std::move(row));
  }
  std::vector<stats::Comparison> family;
  for (const auto& row : rows) family.push_back(row.comparison);
  stats::adjust_holm(family);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].comparison = family[i];
  return rows;
}

std::string best_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return report::k_nothing;
  return fmt::format("{} s of {}", report::figure_in_words(*std::min_element(seconds.begin(), seconds.end())), seconds.size());
}

void print_rows(const std::vector<ComparedArm>& rows) {
  fmt::print("{:<32}  {:>14}  {:>14}  {:>9}  {:<20}  {}\n", "scenario", "best, first", "best, second", "change", "95 % interval",
             "verdict");
  for (const auto& row : rows) {
    const auto& comparison = row.comparison;
    fmt::print("{:<32}  {:>14}  {:>14}  {:>9}  {:<20}  {}\n", printable_line(row.arm, 32), best_of(row.before), best_of(row.after),
               comparison.pairs > 0 ? report::signed_percent(comparison.effect) : "",
               comparison.interval95 ? report::interval_in_words(*comparison.interval95) : "", word_of(comparison));
  }
}

Json json_of(const std::vector<ComparedArm>& rows) {
  Json list = Json::array();
  for (const auto& row : rows) {
    const auto& comparison = row.comparison;
    Json one{{"scenario", row.arm}, {"first_s", row.before}, {"second_s", row.after}, {"verdict", word_of(comparison)}};
    one["effect"] = comparison.pairs > 0 ? Json(comparison.effect) : Json();
    one["interval95"] = comparison.interval95 ? Json{comparison.interval95->first, comparison.interval95->second} : Json();
    one["p_holm"] = comparison.p_holm ? Json(*comparison.p_holm) : Json();
    list.push_back(std::move(one));
  }
  return list;
}

ExitCode compare_batches(Session& session, const CompareRequest& request) {
  auto store = session.stored_results();
  const auto first = times_of(session, store, request.first);
  const auto second = times_of(session, store, request.second);
  if (first.batch.id == second.batch.id) throw UsageError("both are batch " + first.batch.id + "; name two different ones");

  std::vector<std::string> lines;
  for (const auto& [arm, scenario] : first.scenarios) {
    if (!second.scenarios.contains(arm)) continue;
    for (auto& line : differences(first, second, arm)) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  if (!lines.empty() && !request.across_epochs) {
    throw UsageError(fmt::format("{} and {} are of different epochs: what differs between their times may be due to\n{}\n"
                                 "--across-epochs compares them all the same",
                                 first.batch.id, second.batch.id, printable(join(lines, "\n"))));
  }
  const history::Stored stored{second.batch.experiment, store.batches(second.batch.experiment),
                               store.timed_runs(second.batch.experiment)};
  const auto delta = stats::relevance_band(history::aa_effects(stored));
  const auto rows = rows_of(first, second, delta);
  if (rows.empty()) throw UsageError("the two batches have no scenario in common");
  if (request.json) {
    fmt::print("{}\n", Json{{"schema_version", 1}, {"first", first.batch.id}, {"second", second.batch.id}, {"delta", delta},
                            {"different_conditions", lines}, {"scenarios", json_of(rows)}}
                           .dump(2));
    return ExitCode::ok;
  }
  if (!lines.empty()) fmt::print("conditions differ:\n{}\n\n", printable(join(lines, "\n")));
  print_rows(rows);
  return ExitCode::ok;
}

}  // namespace

Verb add_compare(CLI::App& app) {
  auto* verb = app.add_subcommand("compare", "Compare two batches, scenario by scenario (Welch on logarithms)");
  auto request = std::make_shared<CompareRequest>();
  verb->add_option("FIRST", request->first, "A batch's id, or an experiment: its last batch")->required();
  verb->add_option("SECOND", request->second, "The one to hold against it")->required();
  verb->add_flag("--across-epochs", request->across_epochs, "Also when hardware, kernel, image or workload differ");
  verb->add_flag("--json", request->json, "Print JSON");
  return {verb, [request](Session& session) { return compare_batches(session, *request); }};
}

}  // namespace swaprig::cli
