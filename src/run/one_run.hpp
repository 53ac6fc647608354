#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "guest/guest_agent.hpp"
#include "guest/guest_facts.hpp"
#include "guest/probe_channel.hpp"
#include "guest/swap_placer.hpp"
#include "run/runner.hpp"
#include "spec/placement.hpp"

namespace swaprig::run {

/// What a run needs of the world; everything outlives the run.
struct World {
  Stage& stage;
  host::MachineHost& machines;
  image::ImageStore& images;
  Clock& clock;
  Progress& progress;
  const StopFlag& stop;
};

/// The steps of one run, to be called in their order. Each throws what goes wrong in it: guest::Unsupported,
/// guest::SetupFailure, guest::AgentError, host::LibvirtError, Failed, Interrupted. The destructor destroys the guest.
class OneRun {
 public:
  OneRun(World world, const plan::PlannedRun& planned, int attempt);
  ~OneRun();

  /// Fills the root anew and makes sure that the host caches nothing of any drive.
  void prepare();
  /// Starts the guest and waits for its agent.
  void boot();
  /// Reads back what was asked for; finds the drives by serial; no foreign swap may be on.
  void check_guest();
  /// Makes the areas and switches them on; records where they lie.
  void place_swap();
  /// The workload's prepare, swap off and on again, caches dropped, drives idle.
  void settle();
  /// Counters, the workload on the probe's clock, counters again.
  void measure();
  /// What proves that the workload did its work, when it ended well.
  void verify();
  /// Swap off (timed), guest destroyed. Works from every state; what was measured stands whatever happens here.
  void leave();

  /// Turns an exception of a step into evidence.
  void note_failure(const std::exception& error);
  /// Judges the evidence; the record is complete then.
  void judge();
  /// Marks the run as cut off: it will be done again.
  void abort(const std::string& why);

  const RunRecord& record() const { return m_record; }

 private:
  class PhaseTimer;

  host::DomainSpec domain() const;
  void set_guest_paths();
  /// What a drive says of itself in the guest, against what it is.
  void read_back_drives();
  /// Tells the servers of simulated drives where the swap files lie.
  void mark_swap_files();
  void require_drives();
  void mount_file_system(const spec::PartitionRef& where);
  void mount_file_systems();
  /// A shell line in the guest beside the measured one; throws SetupFailure with that reason when it fails.
  void run_beside(const std::string& line, const char* reason);
  /// Called while waiting in the window: no call of the agent, only libvirt's own knowledge.
  bool keep_waiting();
  /// Why the guest is not running any more; nothing while it is.
  std::optional<Failure> guest_failure();

  World m_world;
  const spec::Scenario& m_scenario;
  RunRecord m_record;
  std::filesystem::path m_folder;
  std::unique_ptr<host::Machine> m_machine;
  std::unique_ptr<guest::GuestAgent> m_agent;
  std::unique_ptr<guest::ProbeChannel> m_channel;
  std::unique_ptr<guest::SwapPlacer> m_placer;
  guest::GuestFacts m_facts;
  spec::GuestPaths m_paths;
};

}  // namespace swaprig::run
