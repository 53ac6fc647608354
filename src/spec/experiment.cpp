#include "spec/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"
#include "spec/source.hpp"

namespace swaprig::spec {
namespace {

void read_title(TableReader& root, Experiment& experiment) {
  experiment.title = root.text("title").value_or(experiment.name);
  if (root.has("title")) {
    if (auto fault = name_fault(experiment.title); !fault.empty()) root.fault("title", "title: " + fault);
  }
}

void read_baseline(TableReader& root, Experiment& experiment) {
  const auto baseline = root.text("baseline");
  if (!experiment.scenarios.empty()) experiment.baseline = baseline.value_or(experiment.scenarios.front().name);
  if (!baseline || experiment.scenarios.empty()) return;
  std::vector<std::string> names;
  for (const auto& scenario : experiment.scenarios) names.push_back(scenario.name);
  if (std::find(names.begin(), names.end(), *baseline) == names.end()) {
    root.fault("baseline", "baseline: there is no scenario " + in_quotes(*baseline), suggest(*baseline, names));
  }
}

void read_base_guest(TableReader& root, Guest& guest, const std::vector<std::string>& image_names) {
  root.require("guest", "[guest]");
  auto table = root.table("guest", "[guest]");
  if (!table) return;
  table->require("image", "image = \"quickstart\"");
  table->require("memory", "memory = \"2 GiB\"");
  read_guest(*table, guest, image_names);
}

/// By the name in the file.
std::map<std::string, std::string> used_profiles(const Experiment& experiment) {
  std::map<std::string, std::string> used;
  for (const auto& drive : experiment.drives) {
    if (const auto* simulated = drive.simulated()) used[simulated->wanted] = simulated->profile.text;
  }
  return used;
}

/// Every guest has to have the processors that the workload is to use.
void check_cores(TableReader& root, const Experiment& experiment) {
  for (const auto& scenario : experiment.scenarios) {
    if (experiment.workload.cores <= scenario.guest.vcpus) continue;
    root.fault("workload",
               fmt::format("cores: the workload is to use {} processors, but the guest of {} has {}",
                           experiment.workload.cores, in_quotes(scenario.name), scenario.guest.vcpus),
               "give the guest more vcpus, or the workload fewer cores");
    return;
  }
}

}  // namespace

bool read_schema(TableReader& root) {
  constexpr std::int64_t k_schema = 1;
  root.require("schema", "schema = 1");
  const auto schema = root.integer("schema", {INT64_MIN, INT64_MAX});
  if (!schema || *schema == k_schema) return true;
  if (*schema < k_schema) {
    root.fault("schema", fmt::format("schema has to be {}", k_schema));
    return true;
  }
  root.fault("schema", fmt::format("schema {} is newer than this swaprig, which reads schema {}", *schema, k_schema),
             "use a newer swaprig, or write the file for schema 1");
  return false;
}

const Drive& Experiment::drive(const std::string& name_of_drive) const {
  const auto found =
      std::find_if(drives.begin(), drives.end(), [&](const Drive& d) { return d.name == name_of_drive; });
  SWAPRIG_ASSERT(found != drives.end());
  return *found;
}

const Scenario& Experiment::scenario(const std::string& name_of_scenario) const {
  const auto found =
      std::find_if(scenarios.begin(), scenarios.end(), [&](const Scenario& s) { return s.name == name_of_scenario; });
  SWAPRIG_ASSERT(found != scenarios.end());
  return *found;
}

PartitionRef Experiment::root() const {
  for (const auto& drive : drives) {
    for (const auto& partition : drive.partitions) {
      if (partition.holds_image) return {drive.name, partition.name};
    }
  }
  SWAPRIG_ASSERT(!"a partition that holds the image");
  return {};
}

Experiment parse_experiment(const std::string& text, const std::string& path, const Library& library, Extent extent) {
  Experiment experiment;
  experiment.name = std::filesystem::path(path).stem().string();
  experiment.extent = extent;
  if (extent == Extent::quick && !experiment.name.ends_with(k_quick_suffix)) experiment.name += k_quick_suffix;
  experiment.path = path;
  experiment.text = text;

  const Node document = parse_source(text, path, "experiments/README.md describes the language");
  Faults faults(path);
  TableReader root(std::get<Node::Table>(document.value), document.where, faults, "the file");
  if (read_schema(root)) {
    read_title(root, experiment);
    read_base_guest(root, experiment.guest, library.images);
    const auto faults_before = faults.count();
    experiment.drives = read_drives(root, path, library);
    const ReadDrives drives{experiment.drives, faults.count() == faults_before};
    read_workload_and_runs(root, extent, drives, experiment.workload, experiment.runs);
    experiment.scenarios = read_scenarios(root, experiment.guest, drives, experiment.workload, library.images);
    check_cores(root, experiment);
    read_baseline(root, experiment);
    experiment.reference = read_reference(root, path, experiment, library);
    root.finish();
  }
  faults.throw_if_any(text);
  experiment.canonical = (extent == Extent::quick ? "quick\n" : "") + canonical_text(document);
  // Another profile under the same name is another experiment. A study changes no run.
  for (const auto& [name, profile] : used_profiles(experiment)) {
    for (const auto& line : split(canonical_text(parse_source(profile, name, "")), '\n')) {
      if (!line.empty()) experiment.canonical += fmt::format("profile {}: {}\n", name, line);
    }
  }
  return experiment;
}

Experiment load_experiment(const std::string& path, const Library& library, Extent extent) {
  return parse_experiment(read_source(path), path, library, extent);
}

std::map<std::string, std::string> used_files(const Experiment& experiment) {
  auto used = used_profiles(experiment);
  if (experiment.reference) used[reference_key(experiment.reference->wanted)] = experiment.reference->study.text;
  return used;
}

}  // namespace swaprig::spec
