#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "run/record.hpp"
#include "spec/experiment.hpp"

namespace swaprig::report {

/// The fact of the host that names the overridden checks of real drives.
inline constexpr const char* k_overridden = "overridden checks";

/// Everything a report is made of, as values; built by the caller from the store.
struct Subject {
  spec::Experiment experiment;
  std::string batch;
  UtcTime started{};
  std::optional<UtcTime> ended;
  std::string image_digest;
  std::string swaprig_version;
  int planned_runs = 0;
  std::vector<run::RunRecord> runs;  ///< every run of the batch, attempts too
  std::vector<std::pair<std::string, std::string>> host_facts;
  std::vector<double> earlier_aa_effects;  ///< |A/A| effects of earlier batches, as fractions
};

/// Writes index.html, report.md, runs.csv, report.json, for swap files that were made makings.csv, and charts/*.svg, *.png into the folder (made when missing; a
/// folder that holds something else than a report of ours is refused with UsageError). Returns sentences about what
/// could not be done (gnuplot missing or failing); everything else is written all the same.
std::vector<std::string> write_report(const Subject& subject, const std::filesystem::path& folder,
                                      CommandRunner& commands);

/// The table for the terminal.
std::string summary_table(const Subject& subject, bool colour);

/// One row a run, full precision; the header line first.
std::string to_csv(const Subject& subject);

/// One row for each swap file that each run made or could not make, controls as well; the header line first.
std::string to_makings_csv(const Subject& subject);

/// OpenMetrics text, gauges by experiment and scenario: for the textfile collector of Prometheus' node exporter.
std::string to_openmetrics(const Subject& subject);

/// As hyperfine --export-json writes it, a result for each scenario with a valid run; times in seconds.
std::string to_hyperfine(const Subject& subject);

/// JUnit XML, a test case for each planned run by its last attempt: invalid and failed are failures, unsupported and not
/// run yet are skipped, aborted is an error.
std::string to_junit(const Subject& subject);

/// The documented schema (reports/README.md) with schema_version.
std::string to_json(const Subject& subject);

}  // namespace swaprig::report
