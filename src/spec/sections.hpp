#pragma once

#include <string>
#include <vector>

#include "spec/experiment.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

// The sections of an experiment file. Each reads its part from the root table and leaves its faults there.

/// What a partition table takes of a drive: the first MiB, and the last one for its copy.
inline constexpr Bytes k_partition_table = mib(2);

/// No scenario may end so: it marks the second arm of an A/A comparison (plan/plan.hpp).
inline constexpr const char* k_reserved_suffix = " (A/A)";

/// The keys of `table` over what `guest` says already; sysctls by name, everything else as a whole.
void read_guest(TableReader& table, Guest& guest, const std::vector<std::string>& image_names);

/// `path` is the experiment's.
std::vector<Drive> read_drives(TableReader& root, const std::string& path, const Library& library);

/// The size that a partition gets; what the others leave for "rest" (0 when nothing is left).
Bytes partition_size(const Drive& drive, const Partition& partition);

/// What a drive has for partitions: whole MiB between the table and its copy.
Bytes usable_size(Bytes drive_size);

/// The drives, and whether they can be trusted: areas are not checked against types and sizes that are wrong
/// themselves.
struct ReadDrives {
  std::vector<Drive> drives;
  bool sound = false;
};

/// `guest` is what the scenarios override; `drives` are what their areas are checked against; `workload` may tell them
/// where it works.
std::vector<Scenario> read_scenarios(TableReader& root, const Guest& guest, const ReadDrives& drives,
                                     const Workload& workload, const std::vector<std::string>& image_names);

/// The timeout may stand in either section, not in both.
/// [workload.quick] is checked in either case, and counts in a quick look.
void read_workload_and_runs(TableReader& root, Extent extent, const ReadDrives& drives, Workload& workload, Runs& runs);

/// The study that `reference` names, with its scenarios matched to the experiment's; nothing without one. The scenarios
/// and the workload were read before.
std::optional<Reference> read_reference(TableReader& root, const std::string& path, const Experiment& experiment,
                                        const Library& library);

/// The key of a study in Library::files. No drive profile can be called so: it holds a slash and does not end in .toml.
std::string reference_key(const std::string& wanted);

/// schema = 1. False when the file is of another schema, so that nothing else in it can be judged.
bool read_schema(TableReader& root);

}  // namespace swaprig::spec
