#include "report/why.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::report {

namespace {

constexpr std::int64_t k_swap_page_bytes = 4096;

double from_ns(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

std::optional<double> mean_ms(double seconds, std::int64_t requests) {
  if (requests <= 0) return std::nullopt;
  return 1000 * seconds / static_cast<double>(requests);
}

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

template <typename T>
const T* named(const std::vector<T>& list, std::string T::*name, const std::string& wanted) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& one) { return one.*name == wanted; });
  return found == list.end() ? nullptr : &*found;
}

/// A counter that went back belongs to another device: no reading.
std::optional<DriveTraffic> sound(const DriveTraffic& traffic) {
  const bool back = traffic.reads < 0 || traffic.read_bytes < 0 || traffic.read_s < 0 || traffic.writes < 0 ||
                    traffic.written_bytes < 0 || traffic.write_s < 0;
  return back ? std::nullopt : std::optional(traffic);
}

std::optional<DriveTraffic> guest_traffic(const run::Evidence& evidence, const std::string& drive) {
  const auto* seen = named(evidence.guest_drives, &run::GuestDrive::drive, drive);
  if (seen == nullptr) return std::nullopt;
  const auto* before = named(evidence.guest_before.disks, &run::DiskStat::device, seen->device);
  const auto* after = named(evidence.guest_after.disks, &run::DiskStat::device, seen->device);
  if (before == nullptr || after == nullptr) return std::nullopt;
  return sound({after->reads - before->reads, after->read_bytes - before->read_bytes,
                static_cast<double>(after->read_ms - before->read_ms) / 1e3, after->writes - before->writes,
                after->written_bytes - before->written_bytes,
                static_cast<double>(after->write_ms - before->write_ms) / 1e3});
}

std::optional<DriveTraffic> host_traffic(const run::HostDrive& before, const run::HostDrive& after) {
  return sound({after.read_requests - before.read_requests, after.read_bytes - before.read_bytes,
                from_ns(after.read_ns - before.read_ns), after.write_requests - before.write_requests,
                after.written_bytes - before.written_bytes, from_ns(after.write_ns - before.write_ns)});
}

/// Names of the drive's parts that are swap; everything else on it is the file system.
std::set<std::string> swap_regions(const spec::Drive& drive) {
  std::set<std::string> names{drive::k_swap_files};
  for (const auto& partition : drive.partitions) {
    if (partition.type == spec::PartitionType::swap) names.insert(partition.name);
  }
  return names;
}

ArmMoves crossings_of(const drive::SimulatedCounters& grown, const std::set<std::string>& swap) {
  ArmMoves sum;
  for (const auto& crossing : grown.crossings) {
    if (swap.count(crossing.from) == swap.count(crossing.to)) continue;
    sum.moves += crossing.moves;
    sum.seek_s += from_ns(crossing.seek_ns);
    sum.rotation_s += from_ns(crossing.rotation_ns);
  }
  return sum;
}

std::int64_t requests_of(const drive::SimulatedCounters& grown, const char* operation) {
  const auto found = grown.operations.find(operation);
  return found == grown.operations.end() ? 0 : found->second.requests;
}

SimulatedWork simulated_work(const drive::SimulatedCounters& grown, const spec::Drive& drive) {
  SimulatedWork work;
  const auto* backing = drive.simulated();
  work.rotates = backing != nullptr && backing->profile.rotation_rate() > 1;
  work.time_scale = grown.time_scale;
  work.window_s = from_ns(grown.wall_ns);
  work.busy_s = from_ns(grown.busy_ns);
  work.seek_s = from_ns(grown.seek_ns);
  work.rotation_s = from_ns(grown.rotation_ns);
  work.transfer_s = from_ns(grown.transfer_ns);
  work.queue_s = from_ns(grown.queue_ns);
  work.reads = requests_of(grown, "read");
  work.writes = requests_of(grown, "write");
  work.read_hits = grown.read_hits;
  work.read_partial_hits = grown.read_partial_hits;
  work.write_hits = grown.write_hits;
  work.arm_operations = grown.arm_reads + grown.arm_writes;
  work.distance_strokes = grown.distance_strokes;
  work.crossings = crossings_of(grown, swap_regions(drive));
  work.delivered = grown.delivered;
  work.late_p99_s = from_ns(drive::quantile(grown.lateness, 0.99));
  work.late_s = from_ns(grown.late_ns);
  work.starvation_s = from_ns(grown.starvation_ns);
  work.floor_limited = grown.floor_limited;
  return work;
}

/// A server that was started again within the window counts from 0: no reading.
std::optional<SimulatedWork> simulated_work(const run::HostDrive& before, const run::HostDrive& after,
                                            const spec::Drive& drive) {
  if (!before.simulated || !after.simulated) return std::nullopt;
  const auto grown = drive::difference(*before.simulated, *after.simulated);
  if (grown.wall_ns <= 0 || grown.busy_ns < 0 || grown.delivered < 0) return std::nullopt;
  return simulated_work(grown, drive);
}

DriveWork drive_work(const run::Evidence& evidence, const spec::Drive& drive) {
  DriveWork work;
  work.name = drive.name;
  work.label = printable_line(drive.name);
  work.guest = guest_traffic(evidence, drive.name);
  const auto* before = named(evidence.host_before.drives, &run::HostDrive::drive, drive.name);
  const auto* after = named(evidence.host_after.drives, &run::HostDrive::drive, drive.name);
  if (before == nullptr || after == nullptr) return work;
  work.host = host_traffic(*before, *after);
  work.simulated = simulated_work(*before, *after, drive);
  return work;
}

bool did_something(const DriveWork& work) {
  const auto any = [](const std::optional<DriveTraffic>& one) { return one && one->reads + one->writes > 0; };
  return any(work.guest) || any(work.host);
}

bool was_read(const DriveWork& work) { return work.guest || work.host || work.simulated; }

std::set<std::string> drives_with_swap(const spec::Experiment& experiment, const std::string& scenario) {
  std::set<std::string> names;
  const auto* found = named(experiment.scenarios, &spec::Scenario::name, scenario);
  if (found == nullptr) return names;
  for (const auto& area : found->swap) names.insert(area.where.drive);
  return names;
}

bool holds_root(const spec::Drive& drive) {
  return std::any_of(drive.partitions.begin(), drive.partitions.end(),
                     [](const spec::Partition& partition) { return partition.holds_image; });
}

std::optional<std::int64_t> growth(const run::Counters& before, const run::Counters& after, const char* name) {
  const auto from = before.find(name);
  const auto to = after.find(name);
  if (from == before.end() || to == after.end() || to->second < from->second) return std::nullopt;
  return to->second - from->second;
}

std::optional<double> stalled_s(const run::Evidence& evidence, const char* name) {
  const auto us = growth(evidence.guest_before.pressure_us, evidence.guest_after.pressure_us, name);
  if (!us) return std::nullopt;
  return static_cast<double>(*us) / 1e6;
}

std::optional<std::int64_t> in_bytes(std::optional<std::int64_t> pages) {
  if (!pages) return std::nullopt;
  return *pages * k_swap_page_bytes;
}

}  // namespace

std::optional<double> DriveTraffic::read_latency_ms() const { return mean_ms(read_s, reads); }

std::optional<double> DriveTraffic::write_latency_ms() const { return mean_ms(write_s, writes); }

double SimulatedWork::busy_share() const { return share_of(busy_s, window_s); }

double SimulatedWork::late_share() const { return share_of(late_s, window_s); }

std::optional<double> SimulatedWork::floor_share() const {
  if (delivered <= 0) return std::nullopt;
  return static_cast<double>(floor_limited) / static_cast<double>(delivered);
}

bool SimulatedWork::is_floor_limited() const { return floor_share().value_or(0) > 0.5; }

std::optional<double> SimulatedWork::strokes_a_operation() const {
  if (!rotates || arm_operations <= 0) return std::nullopt;
  return distance_strokes / static_cast<double>(arm_operations);
}

RunWork work_of(const spec::Experiment& experiment, const run::RunRecord& run) {
  const auto& evidence = run.evidence;
  RunWork work;
  work.swapped_in_bytes = in_bytes(run::swap_in_pages(evidence));
  work.swapped_out_bytes = in_bytes(run::swap_out_pages(evidence));
  work.memory_some_s = stalled_s(evidence, "memory.some");
  work.memory_full_s = stalled_s(evidence, "memory.full");
  if (evidence.workload.finished) work.major_faults = evidence.workload.major_faults;
  const auto with_swap = drives_with_swap(experiment, run.scenario);
  for (const auto& drive : experiment.drives) {
    auto one = drive_work(evidence, drive);
    one.holds_swap = with_swap.count(drive.name) != 0;
    const bool belongs = one.holds_swap || holds_root(drive) || did_something(one);
    if (belongs && (one.holds_swap || was_read(one))) work.drives.push_back(std::move(one));
  }
  return work;
}

std::optional<SwapDriveTime> swap_drive_time(const RunWork& work) {
  SwapDriveTime sum;
  for (const auto& drive : work.drives) {
    if (!drive.holds_swap) continue;
    if (!drive.simulated) return std::nullopt;
    const auto& one = *drive.simulated;
    ++sum.drives;
    sum.rotating += one.rotates;
    sum.busy_s += one.busy_s;
    if (!one.rotates) {
      sum.solid_busy_s += one.busy_s;
      continue;
    }
    sum.seek_s += one.seek_s;
    sum.rotation_s += one.rotation_s;
    sum.transfer_s += one.transfer_s;
    sum.arm_operations += one.arm_operations;
    sum.crossings.moves += one.crossings.moves;
    sum.crossings.seek_s += one.crossings.seek_s;
    sum.crossings.rotation_s += one.crossings.rotation_s;
  }
  if (sum.drives == 0) return std::nullopt;
  return sum;
}

}  // namespace swaprig::report
