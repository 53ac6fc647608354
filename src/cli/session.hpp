#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "base/stop.hpp"
#include "batch/experiment_batch.hpp"
#include "spec/experiment.hpp"
#include "store/store.hpp"

namespace swaprig::cli {

/// Options that every verb has.
struct Options {
  std::optional<std::filesystem::path> state;    ///< --state DIR
  std::optional<std::filesystem::path> images;   ///< --images DIR
  std::string connect;                           ///< --connect URI
  bool quiet = false;                            ///< --quiet: no progress, only warnings and errors on stderr
};

/// The real world of one command line; only one at a time. Nothing is touched before a verb asks for it, but signals
/// stop its work in order.
class Session {
 public:
  explicit Session(Options options);

  const Options& options() const { return m_options; }
  const Folders& folders() const { return m_folders; }
  CommandRunner& commands() { return m_commands; }
  Clock& clock() { return m_clock; }
  const StopFlag& stop() const { return m_stop; }

  /// The folder of image definitions: --images, ./images, or the one beside the program. HostError when there is none.
  std::filesystem::path images() const;

  /// The images, drive profiles and published studies that experiments may name.
  spec::Library library() const;

  /// A published study: a name in experiments/published, or a TOML file. UsageError names the nearest, else all.
  spec::Published load_published(const std::string& file_or_name) const;

  /// A drive profile: a name in experiments/drives, or a TOML file. UsageError names the nearest, else all.
  spec::Profile load_profile(const std::string& file_or_name) const;

  batch::Tools tools();

  /// For verbs that only read; UsageError when nothing was ever stored.
  store::Store stored_results();

  /// An experiment file (it ends in .toml or holds a slash), or the name of a stored experiment, then its last TOML.
  /// UsageError names the nearest.
  spec::Experiment load_experiment(const std::string& file_or_name, spec::Extent extent = spec::Extent::full);

  /// The id of the last batch of a file's or a stored experiment; UsageError when it never ran.
  std::string last_batch(store::Store& store, const std::string& file_or_name);

 private:
  StopFlag m_stop;
  Options m_options;
  Folders m_folders;
  SystemCommandRunner m_commands{&m_stop};
  SystemClock m_clock;
};

/// The folder of the running program.
std::filesystem::path program_folder();

/// A file that is built with the program, or installed with it; HostError when it is missing.
std::filesystem::path part_of_program(const std::string& name);

}  // namespace swaprig::cli
