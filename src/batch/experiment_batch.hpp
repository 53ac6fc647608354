#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "base/stop.hpp"
#include "report/report.hpp"
#include "run/runner.hpp"
#include "spec/experiment.hpp"
#include "store/store.hpp"

namespace swaprig::batch {

/// The outside world of a batch, owned by the caller.
struct Tools {
  CommandRunner& commands;
  Clock& clock;
  const StopFlag& stop;
  Folders folders;
  std::filesystem::path images;     ///< folder of images/*.toml
  std::filesystem::path probe;      ///< our static probe
  std::filesystem::path simdrive;   ///< our plugin for nbdkit
  std::string connect;              ///< libvirt URI; empty: embedded
};

struct Wishes {
  bool again = false;          ///< a new batch although the last could be continued or is complete
  bool retry_failed = false;
  std::vector<std::string> allowed{};  ///< refusals of real drives that the user overrides, by name
};

/// Says what is going on besides the runs.
class Announcer : public run::Progress {
 public:
  /// One line: "image quickstart: unpacking the kernel".
  virtual void step(const std::string& line) = 0;
  /// The plan is known: how many runs there are, how many are to do, and how long that may take.
  virtual void planned(int total, int to_do, Seconds estimate) = 0;
};

struct Outcome {
  std::string batch;
  int ran = 0;                 ///< runs that this call did
  bool all_good = false;       ///< every run of the plan is valid or unsupported
};

/// Continues the experiment's last batch, or starts one. Holds the experiment's lock. Throws UsageError when the file
/// changed since the batch began (with the difference) or when another swaprig runs the experiment, HostError, Interrupted.
Outcome run_experiment(const spec::Experiment& experiment, Wishes wishes, Tools& tools, store::Store& store,
                       Announcer& announcer);

/// What the experiment's reference says of its scenarios, in seconds; for estimates.
std::map<std::string, double> published_seconds(const spec::Experiment& experiment);

/// The experiment that a batch was begun with, its profiles included; `library` is for what else its file names.
spec::Experiment experiment_of(const store::BatchRow& batch, spec::Library library);

/// The values a report is made of, read from the store alone.
report::Subject subject_of(store::Store& store, const std::string& batch);

/// What the person at the terminal reads before a changed file is refused. Pure.
std::string describe_change(const std::string& experiment, const std::vector<std::string>& differences);

}  // namespace swaprig::batch
