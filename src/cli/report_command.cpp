#include <fmt/format.h>

#include <map>
#include <memory>

#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/verbs.hpp"
#include "report/published_report.hpp"
#include "report/report.hpp"

namespace swaprig::cli {

namespace {

struct Choice {
  std::string experiment;
  std::string batch;
  std::string folder;
  std::string format;
  std::string published;
  std::string what = "runs";
};

const std::map<std::string, std::string (*)(const report::Subject&)> k_formats{{"csv", report::to_csv},
                                                                               {"hyperfine", report::to_hyperfine},
                                                                               {"json", report::to_json},
                                                                               {"junit", report::to_junit},
                                                                               {"openmetrics", report::to_openmetrics}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& [name, write] : k_formats) names.push_back(name);
  return names;
}

/// The batch the user named, or the experiment's last.
report::Subject chosen(Session& session, store::Store& store, const Choice& choice) {
  if (choice.batch.empty()) return batch::subject_of(store, session.last_batch(store, choice.experiment));
  const auto batch = store.batch(choice.batch);
  if (!batch)
    throw UsageError("no batch " + printable_line(choice.batch) + " is stored; swaprig list shows the last ones");
  return batch::subject_of(store, choice.batch);
}

/// Warnings to stderr, the page's path to stdout.
void tell(const std::filesystem::path& folder, const std::vector<std::string>& faults) {
  for (const auto& line : faults) fmt::print(stderr, "warning: {}\n", line);
  fmt::print("{}\n", (folder / "index.html").string());
}

ExitCode write_published(Session& session, const Choice& choice) {
  const auto study = session.load_published(choice.published);
  const auto folder = choice.folder.empty() ? std::filesystem::path("reports") / ("published-" + slug(study.name))
                                            : std::filesystem::path(choice.folder);
  tell(folder, report::write_published_report(study, k_version, folder, session.commands()));
  return ExitCode::ok;
}

ExitCode write(Session& session, const Choice& choice) {
  if (choice.experiment.empty() == choice.published.empty()) {
    throw UsageError("name either an experiment or, with --published, a study; see swaprig report --help");
  }
  if (!choice.published.empty()) return write_published(session, choice);
  auto store = session.stored_results();
  const auto subject = chosen(session, store, choice);
  const auto folder = choice.folder.empty() ? std::filesystem::path("reports") / slug(subject.experiment.name)
                                            : std::filesystem::path(choice.folder);
  tell(folder, report::write_report(subject, folder, session.commands()));
  return ExitCode::ok;
}

ExitCode print_data(Session& session, const Choice& choice) {
  auto store = session.stored_results();
  const auto subject = chosen(session, store, choice);
  if (choice.what == "makings") {
    if (choice.format != "csv") throw UsageError("swap files that were made are rows of CSV, and part of the JSON of the runs");
    if (!subject.experiment.workload.creation) {
      throw UsageError("experiment " + printable_line(subject.experiment.name) + " makes no swap files: its workload is " +
                       subject.experiment.workload.kind);
    }
    fmt::print("{}", report::to_makings_csv(subject));
    return ExitCode::ok;
  }
  fmt::print("{}", k_formats.at(choice.format)(subject));
  return ExitCode::ok;
}

}  // namespace

Verb add_report(CLI::App& app) {
  const auto choice = std::make_shared<Choice>();
  auto* verb = app.add_subcommand("report", "Write an experiment's report: HTML, Markdown, charts, JSON, CSV");
  auto* experiment = verb->add_option("EXPERIMENT", choice->experiment, "A stored experiment's name or file");
  auto* batch = verb->add_option("--batch", choice->batch, "A batch of it (default: the last)");
  verb->add_option("--published", choice->published,
                   "Instead: a study that somebody else published, by its name in experiments/published or its file")
      ->excludes(experiment)
      ->excludes(batch);
  verb->add_option("--to", choice->folder, "Folder (default: reports/EXPERIMENT, reports/published-NAME)");
  return {verb, [choice](Session& session) { return write(session, *choice); }};
}

Verb add_export(CLI::App& app) {
  const auto choice = std::make_shared<Choice>();
  auto* verb = app.add_subcommand("export", "Print an experiment's runs for other tools");
  verb->add_option("EXPERIMENT", choice->experiment, "A stored experiment's name or file")->required();
  verb->add_option("--batch", choice->batch, "A batch of it (default: the last)");
  verb->add_option("--format", choice->format, "csv, json, openmetrics, hyperfine (JSON) or junit (XML)")
      ->required()
      ->check(CLI::IsMember(format_names()));
  verb->add_option("--what", choice->what, "runs, or makings: one row a swap file that a run made (default: runs)")
      ->check(CLI::IsMember({"runs", "makings"}));
  return {verb, [choice](Session& session) { return print_data(session, *choice); }};
}

}  // namespace swaprig::cli
