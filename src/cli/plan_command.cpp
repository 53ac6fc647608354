#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"
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

ExitCode show_plan(Session& session, const std::string& name) {
  const auto experiment = session.load_experiment(name);
  const auto runs = plan::make_plan(experiment);
  std::map<std::string, Seconds> earlier;
  if (std::filesystem::exists(session.folders().state / "results.db")) {
    store::Store store(session.folders().state, true);
    earlier = store.earlier_durations(experiment.name);
  }
  const Seconds guess = std::min(Seconds(60), Seconds(experiment.runs.timeout));
  const auto estimate = plan::estimate(runs, earlier, guess);

  fmt::print("{}: {}\n", printable_line(experiment.name), printable_line(experiment.title));
  fmt::print("{}\n", needs(experiment));
  fmt::print("{}\n\n{:>5}  {:>8}  {:>9}  scenario\n", experiment.workload.summary, "block", "position", "about");
  for (const auto& run : runs) {
    fmt::print("{:>5}  {:>8}  {:>9}  {}\n", run.block, run.position, clock_time(estimate.per_run.at(run.arm)),
               printable_line(run.arm));
  }
  fmt::print("\n{} runs, about {}", runs.size(), clock_time(estimate.total));
  if (estimate.guessed.empty()) {
    fmt::print(" (from earlier runs on this machine)\n");
  } else {
    fmt::print(" (guessed at {} a run for: {})\n", clock_time(guess), printable_line(join(estimate.guessed, ", "), 2000));
  }
  return ExitCode::ok;
}

}  // namespace

Verb add_plan(CLI::App& app) {
  const auto experiment = std::make_shared<std::string>();
  auto* verb = app.add_subcommand("plan", "Check an experiment and list its runs in order, with an estimate");
  verb->add_option("EXPERIMENT", *experiment, "A TOML file, or the name of a stored experiment")->required();
  return {verb, [experiment](Session& session) { return show_plan(session, *experiment); }};
}

}  // namespace swaprig::cli
