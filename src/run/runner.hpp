#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/stop.hpp"
#include "drive/test_drive.hpp"
#include "host/machine.hpp"
#include "image/image_store.hpp"
#include "plan/plan.hpp"
#include "run/record.hpp"
#include "spec/experiment.hpp"

namespace swaprig::run {

/// What one guest image needs to boot, made once a batch.
struct BootFiles {
  image::BuiltImage image;
  std::filesystem::path initrd;   ///< the image's modules with our probe as /init
};

/// Everything that stays as it is from run to run, prepared once a batch.
struct Stage {
  spec::Experiment experiment;
  std::string batch;
  std::map<std::string, BootFiles> boot_files;                      ///< by image name
  std::map<spec::Accel, host::Virtualisation> virtualisation;
  std::vector<std::unique_ptr<drive::TestDrive>> drives;
  std::filesystem::path runs_folder;                                ///< each run gets a folder of its own in it
};

/// What a terminal or a log shows while runs go on.
class Progress {
 public:
  virtual ~Progress() = default;

  virtual void run_started(const RunRecord& run) = 0;
  virtual void phase(const std::string& name) = 0;
  /// A few times a second while something is waited for.
  virtual void tick() = 0;
  virtual void run_ended(const RunRecord& run) = 0;
};

/// Does one run, as measurement.md numbers its steps.
class Runner {
 public:
  Runner(Stage& stage, host::MachineHost& machines, image::ImageStore& images, Clock& clock, ResultSink& results,
         Progress& progress, const StopFlag& stop);

  /// Prepares, boots, places swap, settles, measures, collects evidence, judges, records. Whatever goes wrong inside is a
  /// stored state with its reasons. Throws Interrupted, and what goes wrong on the host before the guest starts (disk
  /// full, drive gone), after storing the run as aborted; and what storing throws.
  RunRecord run(const plan::PlannedRun& planned, int attempt);

 private:
  Stage& m_stage;
  host::MachineHost& m_machines;
  image::ImageStore& m_images;
  Clock& m_clock;
  ResultSink& m_results;
  Progress& m_progress;
  const StopFlag& m_stop;
};

}  // namespace swaprig::run
