#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "batch/experiment_batch.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/verbs.hpp"
#include "report/report.hpp"

namespace swaprig::cli {

namespace {

struct RunOptions {
  std::string experiment;
  batch::Wishes wishes;
  std::string report;
  bool quick = false;

  spec::Extent extent() const { return quick ? spec::Extent::quick : spec::Extent::full; }
};

ExitCode run(Session& session, const RunOptions& options) {
  const auto experiment = session.load_experiment(options.experiment, options.extent());
  survive_broken_pipes();
  auto tools = session.tools();
  store::Store store(session.folders().state);
  const auto progress = make_progress(session.options().quiet, session.clock());

  const auto outcome = batch::run_experiment(experiment, options.wishes, tools, store, *progress);
  if (outcome.ran == 0) fmt::print(stderr, "nothing to do: every run of batch {} has its result\n", outcome.batch);

  const auto subject = batch::subject_of(store, outcome.batch);
  fmt::print("{}", report::summary_table(subject, colour_wanted(STDOUT_FILENO)));
  if (!options.report.empty()) {
    for (const auto& line : report::write_report(subject, options.report, session.commands())) {
      fmt::print(stderr, "warning: {}\n", line);
    }
    fmt::print("{}\n", (std::filesystem::path(options.report) / "index.html").string());
  }
  return outcome.all_good ? ExitCode::ok : ExitCode::runs_failed;
}

}  // namespace

Verb add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  auto* verb = app.add_subcommand("run", "Do what is missing of an experiment's runs");
  verb->add_option("EXPERIMENT", options->experiment, "A TOML file, or the name of a stored experiment")->required();
  verb->add_flag("--again", options->wishes.again, "Start a new batch instead of going on with the last");
  verb->add_flag("--retry-failed", options->wishes.retry_failed, "Try failed runs once more");
  verb->add_option("--allow", options->wishes.allowed,
                   "Use a real drive although this speaks against it; one name each time, kept and shown in every report")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb->add_flag("--quick", options->quick,
                 "One block with less work ([workload.quick]), kept apart from whole results as NAME-quick");
  verb->add_option("--report", options->report, "Write the report into this folder afterwards");
  return {verb, [options](Session& session) { return run(session, *options); }};
}

}  // namespace swaprig::cli
