#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "batch/experiment_batch.hpp"
#include "batch/stage.hpp"
#include "cli/verbs.hpp"
#include "plan/plan.hpp"

namespace swaprig::cli {

namespace {

std::string needs(const spec::Experiment& experiment) {
  Bytes memory;
  for (const auto& scenario : experiment.scenarios) memory = std::max(memory, scenario.guest.memory);
  return fmt::format("needs a guest of up to {}, {} for drives, image {}", exact(memory),
                     exact(batch::drive_space(experiment)), experiment.guest.image);
}

/// What the store knows. A plan needs no store, so that one which cannot be read is only said.
std::map<std::string, Seconds> earlier_durations(Session& session, const std::string& experiment) {
  if (!std::filesystem::exists(session.folders().state / "results.db")) return {};
  try {
    return store::Store(session.folders().state, true).earlier_durations(experiment);
  } catch (const store::StoreError& error) {
    fmt::print(stderr, "warning: earlier runs are not known: {}\n", error.what());
    return {};
  }
}

void say_source(const plan::Estimate& estimate, plan::Source source, const std::string& words) {
  if (const auto arms = estimate.from(source); !arms.empty()) {
    fmt::print("{}: {}\n", words, printable_line(join(arms, ", "), 2000));
  }
}

ExitCode show_plan(Session& session, const std::string& name, bool quick) {
  const auto experiment = session.load_experiment(name, quick ? spec::Extent::quick : spec::Extent::full);
  const auto runs = plan::make_plan(experiment);
  const auto earlier = earlier_durations(session, experiment.name);
  const Seconds guess = std::min(Seconds(60), Seconds(experiment.runs.timeout));
  const auto estimate = plan::estimate(runs, earlier, batch::published_seconds(experiment), guess);

  fmt::print("{}: {}\n", printable_line(experiment.name), printable_line(experiment.title));
  fmt::print("{}\n", needs(experiment));
  fmt::print("{}\n\n{:>5}  {:>8}  {:>9}  scenario\n", experiment.workload.summary, "block", "position", "about");
  for (const auto& run : runs) {
    fmt::print("{:>5}  {:>8}  {:>9}  {}\n", run.block, run.position, clock_time(estimate.per_run.at(run.arm)),
               printable_line(run.arm));
  }
  fmt::print("\n{} runs, about {}\n", runs.size(), clock_time(estimate.total));
  say_source(estimate, plan::Source::earlier, "from earlier runs on this machine");
  say_source(estimate, plan::Source::published, "from the published study's ratios");
  say_source(estimate, plan::Source::guess, fmt::format("guessed at {} a run", clock_time(guess)));
  return ExitCode::ok;
}

}  // namespace

Verb add_plan(CLI::App& app) {
  const auto experiment = std::make_shared<std::string>();
  auto* verb = app.add_subcommand("plan", "Check an experiment and list its runs in order, with an estimate");
  verb->add_option("EXPERIMENT", *experiment, "A TOML file, or the name of a stored experiment")->required();
  const auto quick = std::make_shared<bool>(false);
  verb->add_flag("--quick", *quick, "The plan of run --quick");
  return {verb, [experiment, quick](Session& session) { return show_plan(session, *experiment, *quick); }};
}

}  // namespace swaprig::cli
