#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/duration.hpp"
#include "base/error.hpp"
#include "run/record.hpp"

namespace swaprig::store {

/// One execution of an experiment, with what is needed to read its runs years later.
struct BatchRow {
  std::string id;          ///< "20261130t192100-4f2a"
  std::string experiment;  ///< name
  std::string title;
  UtcTime started{};
  std::optional<UtcTime> ended;
  std::string toml;       ///< the file, byte for byte
  std::string canonical;  ///< what decides whether the file changed
  bool quick = false;     ///< a quick look (spec::Extent)
  std::map<std::string, std::string> files;  ///< that it names (drive profiles, a study): TOML, as of spec::used_files
  std::string image_digest;
  std::string swaprig_version;
  std::uint64_t seed = 0;
  int planned_runs = 0;
  std::vector<std::pair<std::string, std::string>> host_facts;
};

/// A run as far as series of nights look at it.
struct TimedRun {
  std::string batch;
  std::string arm;
  std::string scenario;
  int block = 0;
  bool valid = false;
  double seconds = 0;  ///< of the workload; 0 when it is not valid
};

struct ExperimentSummary {
  std::string name;
  std::string title;
  int batches = 0;
  int runs = 0;
  int valid = 0;
  std::string last_batch;
  UtcTime last_started{};
};

/// All results, in one SQLite file (STATE/results.db): write-ahead log, synchronous=FULL, foreign keys, a versioned
/// schema. Also a ResultSink. Throws StoreError (exit code 4) with the path; a newer schema is refused, naming both
/// versions.
class StoreError : public HostError {
 public:
  using HostError::HostError;
};

class Store final : public run::ResultSink {
 public:
  static constexpr int k_schema_version = 3;

  /// Makes the file when it is missing. `read_only` never writes, not even migrations.
  explicit Store(const std::filesystem::path& folder, bool read_only = false);
  ~Store() override;

  void begin(const run::RunRecord& run) override;
  void record(const run::RunRecord& run) override;

  void add_batch(const BatchRow& batch);
  void end_batch(const std::string& id, UtcTime ended);

  /// Runs left in state running by a process that is gone become aborted; returns how many.
  int abort_torn_runs(const std::string& batch);

  std::vector<ExperimentSummary> experiments();
  /// Newest first.
  std::vector<BatchRow> batches(const std::string& experiment);
  std::optional<BatchRow> batch(const std::string& id);
  /// In the order of the plan, attempts in order.
  std::vector<run::RunRecord> runs(const std::string& batch);
  /// By id or unique prefix; UsageError when none or several match (with the candidates).
  run::RunRecord find_run(const std::string& id_or_prefix);
  /// All runs of all batches of the experiment, in the order in which they were begun.
  std::vector<TimedRun> timed_runs(const std::string& experiment);
  /// Median seconds of a whole run (create to recorded, with provisioning) of earlier valid runs, by scenario.
  std::map<std::string, Seconds> earlier_durations(const std::string& experiment);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace swaprig::store
