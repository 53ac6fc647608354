#include "batch/experiment_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/text.hpp"
#include "base/assert.hpp"
#include "base/version.hpp"
#include "batch/enough.hpp"
#include "batch/stage.hpp"
#include "host/libvirt_host.hpp"
#include "host/measuring_lock.hpp"
#include "history/gather.hpp"
#include "host/preflight.hpp"
#include "plan/plan.hpp"
#include "run/schedule.hpp"
#include "spec/document.hpp"

namespace swaprig::batch {

namespace {

/// A run of an experiment that never ran before is taken to need this long, unless its workload's timeout is shorter.
constexpr Seconds k_guess{60};

std::string new_batch_id(Clock& clock) {
  std::random_device random;
  auto time = iso8601(clock.utc()).substr(0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return fmt::format("{}-{:04x}", time, random() & 0xffffU);
}

/// Refuses to go on with a batch that was begun under other conditions.
void require_unchanged(const store::BatchRow& batch, const spec::Experiment& experiment) {
  if (batch.canonical == experiment.canonical) return;
  throw UsageError(describe_change(experiment.name, spec::differences(batch.canonical, experiment.canonical)));
}

using Facts = std::vector<std::pair<std::string, std::string>>;

/// What has to be the same for all runs of a batch, beside the file: stored among the facts of the host.
Facts conditions(const run::Stage& stage, const std::vector<std::string>& allowed, host::MachineHost& machines) {
  Facts facts;
  for (const auto& [wish, use] : stage.virtualisation) {
    facts.emplace_back(wish == spec::Accel::automatic ? "acceleration" : "acceleration as asked",
                       use == host::Virtualisation::kvm ? "KVM" : "TCG");
  }
  facts.emplace_back("QEMU and libvirt of the runs", machines.versions());
  for (const auto& [name, files] : stage.boot_files) {
    facts.emplace_back("image " + name, files.image.digest);
    facts.emplace_back("initrd and probe of " + name, files.initrd.stem().string());
  }
  for (const auto& drive : stage.experiment.drives) {
    const auto* device = drive.device();
    if (device == nullptr) continue;
    facts.emplace_back("drive " + drive.name, fmt::format("{}, {}{}", device->path, exact(device->size),
                                                          device->serial.empty() ? "" : ", serial " + device->serial));
  }
  if (!allowed.empty()) facts.emplace_back(report::k_overridden, join(allowed, ", "));
  return facts;
}

void require_same_conditions(const store::BatchRow& batch, const Facts& now) {
  std::string differences;
  for (const auto& [name, value] : now) {
    const auto before = std::find_if(batch.host_facts.begin(), batch.host_facts.end(),
                                     [&, &wanted = name](const auto& fact) { return fact.first == wanted; });
    if (before != batch.host_facts.end() && before->second == value) continue;
    differences += fmt::format("- {}: {}\n+ {}: {}\n", name,
                               before == batch.host_facts.end() ? "unknown" : before->second, name, value);
  }
  if (differences.empty()) return;
  throw UsageError(fmt::format("runs of now would not compare with those that batch {} has:\n{}"
                               "put it back as it was, or start a new batch with --again",
                               batch.id, differences));
}

FileLock lock_experiment(const Folders& folders, const std::string& name) {
  make_folders(folders.state / "locks");
  const auto path = folders.state / "locks" / ("experiment-" + slug(name) + ".lock");
  auto lock = FileLock::try_lock(path, "swaprig run " + printable_line(name));
  if (!lock) {
    throw UsageError(fmt::format("experiment {} is being run already by process {}; wait for it or stop it", name,
                                 FileLock::holder(path)));
  }
  return std::move(*lock);
}

Seconds guess_for(const spec::Experiment& experiment) {
  return std::min(k_guess, Seconds(experiment.runs.timeout));
}

store::BatchRow new_batch(const spec::Experiment& experiment, const std::string& image_digest, int planned,
                          const Facts& facts, Tools& tools) {
  store::BatchRow batch;
  batch.id = new_batch_id(tools.clock);
  batch.experiment = experiment.name;
  batch.title = experiment.title;
  batch.started = tools.clock.utc();
  batch.toml = experiment.text;
  batch.canonical = experiment.canonical;
  batch.quick = experiment.extent == spec::Extent::quick;
  batch.files = spec::used_files(experiment);
  batch.image_digest = image_digest;
  batch.swaprig_version = k_version;
  batch.seed = experiment.runs.seed;
  batch.planned_runs = planned;
  batch.host_facts = host::host_facts(tools.commands);
  batch.host_facts.insert(batch.host_facts.end(), facts.begin(), facts.end());
  return batch;
}

}  // namespace

std::map<std::string, double> published_seconds(const spec::Experiment& experiment) {
  std::map<std::string, double> seconds;
  if (!experiment.reference) return seconds;
  const auto& [wanted, study, scenarios] = *experiment.reference;
  for (const auto& [theirs, ours] : scenarios) seconds[ours] = study.seconds(theirs);
  return seconds;
}

std::string describe_change(const std::string& experiment, const std::vector<std::string>& differences) {
  return fmt::format("experiment {} changed since its last batch began:\n{}\n"
                     "put the file back to go on with that batch, or start a new one with --again",
                     experiment, join(differences, "\n"));
}

Outcome run_experiment(const spec::Experiment& experiment, Wishes wishes, Tools& tools, store::Store& store,
                       Announcer& announcer) {
  const auto lock = lock_experiment(tools.folders, experiment.name);
  for (const auto& line : host::clean_leftovers(tools.folders)) announcer.step(line);
  for (const auto& line : drive::remove_left_drives(tools.folders.state / "drives")) announcer.step(line);
  const auto plan = plan::make_plan(experiment);

  std::optional<store::BatchRow> batch;
  std::vector<run::RunRecord> before;
  if (auto earlier = store.batches(experiment.name); !earlier.empty() && !wishes.again) {
    batch = std::move(earlier.front());
    require_unchanged(*batch, experiment);
    if (const int torn = store.abort_torn_runs(batch->id); torn > 0) {
      announcer.step(fmt::format("batch {}: {} run(s) had been cut off and will be done again", batch->id, torn));
    }
    before = store.runs(batch->id);
  }
  const run::Wishes again{wishes.retry_failed};
  auto to_do = run::queue(needed(plan, experiment, before), before, before, again);
  const auto estimate = plan::estimate(plan, store.earlier_durations(experiment.name),
                                       published_seconds(experiment), guess_for(experiment));
  Seconds left{0};
  for (const auto& next : to_do) left += estimate.per_run.at(next.planned.arm);
  announcer.planned(static_cast<int>(plan.size()), static_cast<int>(to_do.size()), left);
  if (to_do.empty() && !batch->ended) store.end_batch(batch->id, tools.clock.utc());
  if (to_do.empty()) return {batch->id, 0, run::all_good(needed(plan, experiment, before), before)};

  const host::MeasuringLock measuring;
  auto machines = host::open_libvirt(tools.connect, tools.folders);
  image::ImageStore images(tools.images, tools.folders.cache, tools.commands, tools.clock);
  auto stage = set_stage(experiment, wishes.allowed, *machines, images, tools, announcer);
  const auto image_digest = stage.boot_files.at(experiment.guest.image).image.digest;
  const auto facts = conditions(stage, wishes.allowed, *machines);
  if (batch) {
    require_same_conditions(*batch, facts);
  } else {
    batch = new_batch(experiment, image_digest, static_cast<int>(plan.size()), facts, tools);
    store.add_batch(*batch);
  }
  stage.batch = batch->id;
  stage.runs_folder = tools.folders.state / "runs" / batch->id;

  run::Runner runner(stage, *machines, images, tools.clock, store, announcer, tools.stop);
  Outcome outcome{batch->id, 0, false};
  auto stored = before;
  while (!to_do.empty()) {
    tools.stop.check();
    host::require_space(tools.folders.state, mib(64));
    stored.push_back(runner.run(to_do.front().planned, to_do.front().attempt));
    ++outcome.ran;
    to_do = run::queue(needed(plan, experiment, stored), stored, before, again);
  }
  store.end_batch(batch->id, tools.clock.utc());
  outcome.all_good = run::all_good(needed(plan, experiment, stored), stored);
  return outcome;
}

spec::Experiment experiment_of(const store::BatchRow& batch, spec::Library library) {
  library.files = batch.files;
  return spec::parse_experiment(batch.toml, batch.experiment + ".toml", library,
                                batch.quick ? spec::Extent::quick : spec::Extent::full);
}

std::vector<double> aa_effects_before(const store::BatchRow& batch, store::Store& store) {
  history::Stored earlier{batch.experiment, store.batches(batch.experiment), store.timed_runs(batch.experiment)};
  std::erase_if(earlier.batches, [&](const auto& other) { return other.started >= batch.started; });
  return history::aa_effects(earlier);
}

report::Subject subject_of(store::Store& store, const std::string& id) {
  const auto batch = store.batch(id);
  SWAPRIG_ASSERT(batch.has_value());
  report::Subject subject;
  subject.experiment = experiment_of(*batch, {});
  subject.batch = batch->id;
  subject.started = batch->started;
  subject.ended = batch->ended;
  subject.image_digest = batch->image_digest;
  subject.swaprig_version = batch->swaprig_version;
  subject.host_facts = batch->host_facts;
  subject.earlier_aa_effects = aa_effects_before(*batch, store);
  subject.runs = store.runs(id);
  const auto plan = needed(plan::make_plan(subject.experiment), subject.experiment, subject.runs);
  subject.planned_runs = static_cast<int>(plan.size());
  return subject;
}

}  // namespace swaprig::batch
