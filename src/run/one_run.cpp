#include "run/one_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "base/wire.hpp"
#include "drive/partition_name.hpp"
#include "guest/boot_watch.hpp"
#include "guest/creation_result.hpp"
#include "guest/file_system.hpp"
#include "guest/probe_commands.hpp"
#include "guest/probe_job.hpp"
#include "guest/probe_result.hpp"
#include "run/host_evidence.hpp"

namespace swaprig::run {

namespace {

constexpr Bytes k_console_kept = kib(16);
constexpr std::chrono::milliseconds k_idle{500};
constexpr std::chrono::milliseconds k_idle_limit{60'000};
/// How much later than asked a thrashing guest may notice its workload's timeout, before the host gives up on it.
constexpr std::chrono::seconds k_grace{120};
constexpr std::chrono::seconds k_short_step{60};
/// Making a file system writes its tables: 1.6 % of an ext4, on a drive that may be slow.
constexpr std::chrono::minutes k_mkfs_limit{30};
/// Of the commands around the measured one.
constexpr const char* k_beside_job = "/run/swaprig/beside.job";
constexpr const char* k_beside_result = "/run/swaprig/beside.result";

std::string run_name(const RunRecord& record) {
  return fmt::format("b{}p{}a{}", record.block, record.position, record.attempt);
}

std::string area_line(const spec::SwapArea& area) {
  const auto where = area.where.drive + "." + area.where.partition;
  return area.file.empty() ? fmt::format("{} {}", area.kind, where)
                           : fmt::format("{} {} on {}, {}", area.kind, area.file, where, exact(area.size));
}

std::int64_t min_swap_bytes(const spec::Experiment& experiment, const spec::Scenario& scenario) {
  const auto& wish = experiment.runs.min_swap;
  if (wish.bytes) return static_cast<std::int64_t>(wish.bytes->count);
  return static_cast<std::int64_t>(wish.fraction_of_memory * static_cast<double>(scenario.guest.memory.count));
}

/// The whole seconds that a bound in milliseconds needs.
std::chrono::seconds whole_seconds(std::chrono::milliseconds bound) {
  return std::chrono::ceil<std::chrono::seconds>(bound);
}

/// Where and as whom every command of the workload runs.
guest::ProbeJob job_of(const spec::Workload& workload, const spec::Runs& runs) {
  guest::ProbeJob job;
  job.directory = workload.directory;
  job.user = workload.user;
  job.environment = workload.environment;
  job.timeout = runs.timeout;
  return job;
}

/// Ends a run whose evidence alone says what is wrong; the judge names all of it.
class AlreadyEvident : public std::runtime_error {
 public:
  AlreadyEvident() : std::runtime_error("already evident") {}
};

}  // namespace

/// Notes how long a step took, however it ends.
class OneRun::PhaseTimer {
 public:
  PhaseTimer(OneRun& run, std::string name)
      : m_run(run), m_name(std::move(name)), m_begin(run.m_world.clock.monotonic()) {
    run.m_world.progress.phase(m_name);
  }
  ~PhaseTimer() {
    const Seconds took = m_run.m_world.clock.monotonic() - m_begin;
    m_run.m_record.evidence.phases.push_back({m_name, took.count()});
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  OneRun& m_run;
  std::string m_name;
  std::chrono::nanoseconds m_begin;
};

OneRun::OneRun(World world, const plan::PlannedRun& planned, int attempt)
    : m_world(world), m_scenario(world.stage.experiment.scenario(planned.scenario)) {
  const auto& experiment = world.stage.experiment;
  m_record.experiment = experiment.name;
  m_record.batch = world.stage.batch;
  m_record.block = planned.block;
  m_record.position = planned.position;
  m_record.attempt = attempt;
  m_record.id = m_record.batch + "-" + run_name(m_record);
  m_record.arm = planned.arm;
  m_record.scenario = planned.scenario;
  m_record.state = State::running;
  m_record.started = world.clock.utc();

  auto& evidence = m_record.evidence;
  evidence.expect_swap = m_scenario.expect_swap;
  evidence.memory_bytes = static_cast<std::int64_t>(m_scenario.guest.memory.count);
  evidence.min_swap_bytes = min_swap_bytes(experiment, m_scenario);
  evidence.workload_kind = experiment.workload.kind;
  for (const auto& area : m_scenario.swap) evidence.planned_swap.push_back(area_line(area));
  if (const auto& creation = experiment.workload.creation) {
    for (const auto& cell : creation->cells) evidence.planned_creations.push_back(spec::in_words(cell));
    evidence.planned_repeats = creation->repeat;
  }
}

OneRun::~OneRun() = default;

void OneRun::prepare() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "fill the root");
  m_folder = m_world.stage.runs_folder / m_record.id;
  make_folders(m_folder);
  const auto root = m_world.stage.experiment.root();
  for (const auto& drive : m_world.stage.drives) {
    const auto& attachment = drive->attachment();
    drive->check();
    drive->refresh();
    if (attachment.drive == root.drive) {
      const auto& partition = drive->layout().partition(root.partition);
      const auto& image = m_world.stage.boot_files.at(m_scenario.guest.image).image;
      const auto filled = m_world.images.fill(
          image, {drive->bytes(), partition.offset, partition.size, drive->server() == nullptr}, m_scenario.guest.root_data);
      for (const auto& range : filled.data) {
        m_record.evidence.root_data.push_back({root.drive,
                                               static_cast<std::int64_t>((partition.offset + range.offset).count),
                                               static_cast<std::int64_t>(range.size.count)});
      }
    }
  }
  for (const auto& drive : m_world.stage.drives) {
    if (auto* server = drive->server()) server->start(m_folder / (drive->attachment().serial + ".log"));
  }
}

host::DomainSpec OneRun::domain() const {
  const auto& guest = m_scenario.guest;
  const auto& files = m_world.stage.boot_files.at(guest.image);
  const auto root = m_world.stage.experiment.root();
  host::DomainSpec domain;
  domain.name = host::domain_name(m_record.experiment + "-" + run_name(m_record));
  domain.uuid = trim(read_file("/proc/sys/kernel/random/uuid"));
  domain.memory = guest.memory;
  domain.vcpus = guest.vcpus;
  domain.virtualisation = m_world.stage.virtualisation.at(guest.accel);
  domain.kernel = files.image.kernel;
  domain.initrd = files.initrd;
  domain.kernel_arguments = "console=ttyS0 quiet loglevel=4 panic=-1";
  for (const auto& drive : m_world.stage.drives) {
    domain.drives.push_back(drive->attachment());
    if (drive->attachment().drive != root.drive) continue;
    domain.kernel_arguments += fmt::format(" {}={}:{}", wire::k_root_argument, drive->attachment().serial,
                                           drive->layout().partition(root.partition).number);
  }
  for (const auto& argument : guest.kernel_arguments) domain.kernel_arguments += " " + argument;
  domain.console = m_folder / "console.log";
  domain.probe_socket = m_world.machines.socket_folder() / "probe.sock";
  return domain;
}

void OneRun::boot() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "boot");
  const auto spec = domain();
  write_file_durably(m_folder / "domain.xml", host::domain_xml(spec));
  auto& evidence = m_record.evidence;
  evidence.acceleration = spec.virtualisation == host::Virtualisation::kvm ? "kvm" : "tcg";
  evidence.versions = m_world.machines.versions();
  if (const auto release = try_read_file("/proc/sys/kernel/osrelease")) evidence.host_kernel = trim(*release);
  evidence.image_digest = m_world.stage.boot_files.at(m_scenario.guest.image).image.digest;

  m_machine = m_world.machines.start(spec);
  m_channel = std::make_unique<guest::ProbeChannel>(spec.probe_socket, m_world.clock);
  m_agent = std::make_unique<guest::QemuGuestAgent>(*m_machine);
  const auto outcome = guest::wait_for_agent(*m_machine, *m_agent, spec.console, m_world.clock,
                                             m_scenario.guest.boot_timeout, [&] {
                                               m_world.stop.check();
                                               m_world.progress.tick();
                                               require_drives();
                                             });
  const auto why = outcome.reason.empty() ? "" : ": " + outcome.reason;
  switch (outcome.end) {
    case guest::BootEnd::answers: return;
    case guest::BootEnd::panicked: throw guest::SetupFailure("panic", "the guest's kernel panicked at boot" + why);
    case guest::BootEnd::exited: throw guest::SetupFailure("early exit", "the guest ended by itself at boot" + why);
    case guest::BootEnd::silent:
      throw guest::SetupFailure("silent boot", "the guest's agent did not answer within " +
                                                   exact(Nanoseconds(m_scenario.guest.boot_timeout)) + why);
  }
}

void OneRun::check_guest() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "check the guest");
  auto& evidence = m_record.evidence;
  m_facts = guest::read_facts(*m_agent, m_scenario.guest.sysctl);
  std::map<std::string, std::string> serials;
  for (const auto& drive : m_world.stage.drives) serials[drive->attachment().drive] = drive->attachment().serial;
  guest::name_drives(m_facts, serials);

  evidence.guest_kernel = m_facts.kernel_release;
  evidence.kernel_command_line = m_facts.kernel_command_line;
  evidence.swaps_at_boot = m_facts.swaps;
  evidence.guest_settings = m_facts.settings;
  evidence.read_backs = m_facts.sysctls;
  const auto words = split_words(m_facts.kernel_command_line);
  for (const auto& argument : m_scenario.guest.kernel_arguments) {
    const bool found = std::find(words.begin(), words.end(), argument) != words.end();
    evidence.read_backs.push_back({"kernel argument " + argument, argument, found ? argument : "", found});
  }
  for (const auto& drive : m_facts.drives) {
    if (!drive.drive.drive.empty()) evidence.guest_drives.push_back(drive.drive);
  }
  read_back_drives();
  evidence.direct_io = prove_direct_io(*m_machine, m_world.stage.drives);

  const auto broken = std::find_if(evidence.read_backs.begin(), evidence.read_backs.end(),
                                   [](const ReadBack& entry) { return !entry.holds; });
  if (broken != evidence.read_backs.end() || !evidence.swaps_at_boot.empty()) {
    throw AlreadyEvident();
  }
}

void OneRun::read_back_drives() {
  auto& evidence = m_record.evidence;
  const auto add = [&](const std::string& what, std::int64_t wanted, std::int64_t found) {
    evidence.read_backs.push_back({what, std::to_string(wanted), std::to_string(found), wanted == found});
  };
  for (const auto& seen : evidence.guest_drives) {
    for (const auto& drive : m_world.stage.drives) {
      const auto& attachment = drive->attachment();
      if (attachment.drive != seen.drive) continue;
      const auto name = "drive " + printable_line(seen.drive) + ", ";
      add(name + "bytes", static_cast<std::int64_t>(drive->layout().drive_size.count), seen.size_bytes);
      add(name + "logical sector", attachment.logical_sector, seen.logical_sector_bytes);
      add(name + "physical sector", attachment.physical_sector, seen.physical_sector_bytes);
      // A virtio disk cannot say that it does not rotate.
      if (drive->server() == nullptr || attachment.bus == spec::Bus::virtio) continue;
      add(name + "rotational", attachment.rotation_rate > 1 ? 1 : 0, seen.rotational ? 1 : 0);
    }
  }
}

void OneRun::set_guest_paths() {
  const auto root = m_world.stage.experiment.root();
  for (const auto& drive : m_world.stage.drives) {
    for (const auto& partition : drive->layout().partitions) {
      const spec::PartitionRef where{drive->attachment().drive, partition.name};
      m_paths.device[where] = guest::partition_device(m_facts, drive->attachment().serial, partition.number);
      if (where == root) {
        m_paths.mount_point[where] = "/";
      } else if (partition.type != spec::PartitionType::swap) {
        m_paths.mount_point[where] = fmt::format("/run/swaprig/fs/{}-{}", slug(where.drive), partition.number);
      }
    }
  }
}

void OneRun::mount_file_system(const spec::PartitionRef& where) {
  constexpr int k_no_such_program = 127;
  for (const auto& drive : m_world.stage.drives) {
    if (drive->attachment().drive != where.drive) continue;
    const auto type = drive->layout().partition(where.partition).type;
    for (const auto& command :
         guest::make_and_mount(type, m_paths.device.at(where), m_paths.mount_point.at(where))) {
      const auto result = guest::run_step(*m_agent, command, k_mkfs_limit);
      if (result.status == 0) continue;
      auto text = join(command, " ") +
                  (result.timed_out ? std::string(" did not finish in time") : ": " + printable_line(result.words));
      if (result.status == k_no_such_program) {
        text += "; the image lacks the package " + guest::package_of(type) + ", experiments on this file system use the image filesystems";
      }
      throw guest::SetupFailure("set-up failed", text);
    }
  }
}

/// As fresh as the root: what another scenario left on one would move this one's files.
void OneRun::mount_file_systems() {
  std::set<spec::PartitionRef> wanted;
  for (const auto& area : m_scenario.swap) {
    if (!area.file.empty()) wanted.insert(area.where);
  }
  if (m_scenario.on) wanted.insert(*m_scenario.on);
  wanted.erase(m_world.stage.experiment.root());
  for (const auto& where : wanted) mount_file_system(where);
}

void OneRun::place_swap() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "place swap");
  set_guest_paths();
  mount_file_systems();
  m_placer = std::make_unique<guest::SwapPlacer>(*m_agent, guest::plan_swap(m_scenario.swap, m_paths));
  auto& evidence = m_record.evidence;
  evidence.swaps_expected = m_placer->expected_lines();
  auto placed = m_placer->place(m_facts);
  evidence.swaps_placed = std::move(placed.swaps);
  evidence.areas = std::move(placed.areas);
  mark_swap_files();
  for (const auto& step : placed.steps) evidence.phases.push_back({"place swap: " + step.what, step.seconds});
}

void OneRun::mark_swap_files() {
  for (const auto& area : m_record.evidence.areas) {
    if (area.own_block_device) continue;
    for (const auto& extent : area.extents) {
      for (const auto& drive : m_world.stage.drives) {
        if (drive->server() == nullptr || drive->attachment().drive != extent.drive) continue;
        drive->server()->add_swap_file(Bytes{static_cast<std::uint64_t>(extent.offset_bytes)},
                                       Bytes{static_cast<std::uint64_t>(extent.size_bytes)});
      }
    }
  }
}

void OneRun::run_beside(const std::string& line, const char* reason) {
  const auto& experiment = m_world.stage.experiment;
  auto job = job_of(experiment.workload, experiment.runs);
  job.command = {"/bin/sh", "-c", line};
  m_agent->write_file(k_beside_job, guest::encode_job(job));
  m_agent->exec(guest::quiet_run_command(k_beside_job, k_beside_result), whole_seconds(job.timeout) + k_grace);
  const auto result = guest::parse_probe_result(m_agent->read_file(k_beside_result, Bytes{guest::k_result_limit}));
  const auto& end = result.workload;
  if (end.finished && end.exit_status == 0 && end.signal == 0) return;
  throw guest::SetupFailure(reason, fmt::format("exit status {}{}: {}", end.exit_status, end.timed_out ? ", out of time" : "",
                                                printable_line(end.error + end.output_tail)));
}

void OneRun::settle() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "settle");
  auto& evidence = m_record.evidence;
  const auto& workload = m_world.stage.experiment.workload;
  if (!workload.prepare.empty()) run_beside(workload.prepare, "prepare failed");
  evidence.swaps_settled = m_placer->reset();
  std::vector<std::string> devices;
  for (const auto& drive : evidence.guest_drives) devices.push_back(drive.device);
  const auto settled = guest::settle(*m_agent, devices, k_idle, k_idle_limit);
  evidence.idle_wait_seconds = settled.idle_wait_seconds;
  evidence.idle_reached = settled.idle_reached;
}

void OneRun::measure() {
  m_world.stop.check();
  const PhaseTimer timer(*this, "workload");
  const auto& experiment = m_world.stage.experiment;
  auto& evidence = m_record.evidence;
  auto job = job_of(experiment.workload, experiment.runs);
  job.command = experiment.workload.command;
  job.cores = experiment.workload.cores;
  job.nice = experiment.workload.nice;
  job.output_limit = experiment.workload.output;
  if (m_scenario.on) job.directory = m_paths.mount_point.at(*m_scenario.on);
  job.sample = experiment.runs.sample;
  m_agent->write_file(wire::k_job_path, guest::encode_job(job));

  for (const auto& drive : m_world.stage.drives) {
    if (auto* server = drive->server()) server->arm_faults();
  }
  evidence.host_before = read_host(*m_machine, m_world.stage.drives);
  m_agent->start(guest::run_command());
  // From here to the end line nothing of ours calls the agent or writes to a measured drive.
  const auto started = m_channel->wait_for(wire::k_start_line, k_short_step, [&] { return keep_waiting(); });
  const auto ended = m_channel->wait_for(wire::k_end_line, started ? job.timeout + k_grace : k_short_step,
                                         [&] { return keep_waiting(); });
  evidence.host_after = read_host(*m_machine, m_world.stage.drives);
  if (!ended) throw guest::SetupFailure("timeout", "the probe did not say that the workload ended");
  if (started) evidence.host_window_ns = (*ended - *started).count();
  if (!m_channel->wait_for(wire::k_result_line, k_grace, [&] { return keep_waiting(); })) {
    throw guest::SetupFailure("agent lost", "the probe did not write its result");
  }
  auto result = guest::parse_probe_result(m_agent->read_file(wire::k_result_path, Bytes{guest::k_result_limit}));
  evidence.workload = std::move(result.workload);
  evidence.guest_before = std::move(result.before);
  evidence.guest_after = std::move(result.after);
  evidence.samples = std::move(result.samples);
  evidence.sampler_us = result.sampler_us;
  evidence.kernel_messages = std::move(result.kernel_messages);
  if (experiment.workload.creation && evidence.workload.finished && evidence.workload.exit_status == 0) {
    evidence.creations =
        guest::parse_creations(m_agent->read_file(wire::k_creations_path, Bytes{guest::k_creations_limit}));
  }
}

void OneRun::verify() {
  const auto& line = m_world.stage.experiment.workload.verify;
  const auto& end = m_record.evidence.workload;
  if (line.empty() || !end.finished || end.exit_status != 0 || end.signal != 0) return;
  m_world.stop.check();
  const PhaseTimer timer(*this, "verify");
  run_beside(line, "verify failed");
}

bool OneRun::keep_waiting() {
  m_world.stop.check();
  m_world.progress.tick();
  if (const auto failure = guest_failure()) throw guest::SetupFailure(failure->code, failure->text);
  require_drives();
  return true;
}

void OneRun::require_drives() {
  for (const auto& drive : m_world.stage.drives) {
    if (drive->server() == nullptr) continue;
    const auto lost = drive->server()->lost();
    if (lost.empty()) continue;
    throw guest::SetupFailure("drive lost", printable_line(drive->attachment().drive) + ": " + lost);
  }
}

std::optional<Failure> OneRun::guest_failure() {
  const auto state = m_machine ? m_machine->state() : host::MachineState::running;
  if (state == host::MachineState::running) return std::nullopt;
  if (state == host::MachineState::paused) return Failure{"guest paused", "QEMU paused the guest"};
  const auto console = guest::read_console(read_tail(m_folder / "console.log", k_console_kept));
  if (state == host::MachineState::panicked || console.end == guest::BootEnd::panicked) {
    return Failure{"panic", "the guest's kernel panicked" + (console.reason.empty() ? "" : ": " + console.reason)};
  }
  return Failure{"machine", "the guest ended by itself"};
}

void OneRun::leave() {
  const PhaseTimer timer(*this, "leave");
  auto& evidence = m_record.evidence;
  if (evidence.workload.finished && evidence.failures.empty()) {
    try {
      evidence.swapoff_seconds = m_placer->switch_off();
    } catch (const Error& error) {
      // What was measured stands; the time of swapoff stays unknown, and the record says why.
      evidence.phases.push_back({"swapoff failed: " + printable_line(error.what()), 0});
    }
  }
  m_agent.reset();
  m_channel.reset();
  try {
    if (m_machine) m_machine->destroy();
  } catch (const Error& error) {
    // The run is over either way; a guest that cannot be ended is cleaned up by the next command.
    evidence.phases.push_back({"the guest could not be destroyed: " + printable_line(error.what()), 0});
  }
  m_machine.reset();
  for (const auto& drive : m_world.stage.drives) {
    if (auto* server = drive->server()) server->stop();
  }
}

void OneRun::note_failure(const std::exception& error) {
  auto& failures = m_record.evidence.failures;
  if (dynamic_cast<const AlreadyEvident*>(&error) != nullptr) return;
  if (const auto* unsupported = dynamic_cast<const guest::Unsupported*>(&error)) {
    failures.push_back({"unsupported", unsupported->what()});
    return;
  }
  // A guest that is gone explains whatever else went wrong.
  std::optional<Failure> gone;
  try {
    gone = guest_failure();
  } catch (const Error&) {
    gone = Failure{"machine", "libvirt cannot say what became of the guest"};
  }
  for (const auto& drive : m_world.stage.drives) {
    if (drive->server() == nullptr) continue;
    const auto lost = drive->server()->lost();
    if (!lost.empty()) {
      failures.push_back({"drive lost", printable_line(drive->attachment().drive) + ": " + lost});
      gone = gone ? gone : failures.back();
    }
  }
  if (gone && (failures.empty() || failures.back().code != gone->code)) failures.push_back(*gone);
  if (const auto* failure = dynamic_cast<const guest::SetupFailure*>(&error)) {
    if (!gone || gone->code != failure->reason()) failures.push_back({failure->reason(), failure->what()});
  } else if (dynamic_cast<const guest::AgentError*>(&error) != nullptr) {
    if (!gone) failures.push_back({"agent lost", error.what()});
  } else if (dynamic_cast<const host::LibvirtError*>(&error) != nullptr) {
    if (!gone) failures.push_back({"machine", error.what()});
  } else {
    failures.push_back({"set-up failed", error.what()});
  }
}

void OneRun::judge() {
  m_record.evidence.console_tail = read_tail(m_folder / "console.log", k_console_kept);
  const auto verdict = run::judge(m_record.evidence);
  m_record.state = verdict.state;
  m_record.reasons = verdict.reasons;
  m_record.ended = m_world.clock.utc();
}

void OneRun::abort(const std::string& why) {
  m_agent.reset();
  m_channel.reset();
  m_machine.reset();
  for (const auto& drive : m_world.stage.drives) {
    if (auto* server = drive->server()) server->stop();
  }
  m_record.state = State::aborted;
  m_record.reasons = {{"interrupted", why}};
  m_record.ended = m_world.clock.utc();
}

}  // namespace swaprig::run
