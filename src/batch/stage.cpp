#include "batch/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "host/acceleration.hpp"
#include "host/preflight.hpp"

namespace swaprig::batch {

namespace {

constexpr std::size_t k_serial_limit = 20;   // virtio-blk's VIRTIO_BLK_ID_BYTES

run::BootFiles boot_files(const std::string& image, image::ImageStore& images, const Tools& tools,
                          Announcer& announcer) {
  run::BootFiles files;
  files.image = images.ensure(image, [&](const std::string& line) { announcer.step("image " + image + ": " + line); });
  const auto initrd = image::initrd_with_probe(read_file(files.image.initrd), read_file(tools.probe));
  const auto folder = tools.folders.cache / "initrds";
  make_folders(folder);
  files.initrd = folder / (sha256(initrd).substr(0, 16) + ".cpio");
  if (!std::filesystem::exists(files.initrd)) write_file_durably(files.initrd, initrd);
  return files;
}

host::DomainSpec trial_domain(const run::BootFiles& files, const host::MachineHost& machines,
                              const Folders& folders) {
  host::DomainSpec trial;
  trial.name = "swaprig-trial";
  trial.memory = mib(512);
  trial.kernel = files.image.kernel;
  trial.initrd = files.initrd;
  trial.kernel_arguments = "console=ttyS0 panic=-1";
  trial.console = folders.state / "trial-console.log";
  trial.probe_socket = machines.socket_folder() / "trial.sock";
  return trial;
}

void make_drives(const spec::Experiment& experiment, Tools& tools, Announcer& announcer, run::Stage& stage) {
  const auto folder = tools.folders.state / "drives" / slug(experiment.name);
  make_folders(folder);
  for (const auto& drive : experiment.drives) {
    tools.stop.check();
    announcer.step(fmt::format("drive {}: writing {} in full", printable_line(drive.name), exact(drive.backing.size)));
    stage.drives.push_back(drive::make_file_drive(drive, folder, drive_serial(experiment.name, drive.name),
                                                  tools.commands, [&](Bytes) { tools.stop.check(); }));
  }
}

}  // namespace

Bytes largest_memory(const spec::Experiment& experiment) {
  Bytes largest;
  for (const auto& scenario : experiment.scenarios) largest = std::max(largest, scenario.guest.memory);
  return largest;
}

Bytes drive_space(const spec::Experiment& experiment) {
  Bytes total;
  for (const auto& drive : experiment.drives) total = total + drive.backing.size;
  return total;
}

std::string drive_serial(const std::string& experiment, const std::string& drive) {
  std::string name = "sr-" + sha256(experiment + "\n" + drive).substr(0, 8) + "-";
  for (const char c : slug(drive)) {
    if (name.size() < k_serial_limit) name += c;
  }
  return name;
}

run::Stage set_stage(const spec::Experiment& experiment, host::MachineHost& machines, image::ImageStore& images,
                     Tools& tools, Announcer& announcer) {
  run::Stage stage;
  stage.experiment = experiment;
  std::set<std::string> image_names{experiment.guest.image};
  std::set<spec::Accel> wishes{experiment.guest.accel};
  for (const auto& scenario : experiment.scenarios) {
    image_names.insert(scenario.guest.image);
    wishes.insert(scenario.guest.accel);
  }
  host::require_memory(largest_memory(experiment), host::Virtualisation::tcg);
  host::require_space(tools.folders.state, drive_space(experiment) + mib(256));

  for (const auto& name : image_names) stage.boot_files[name] = boot_files(name, images, tools, announcer);
  for (const auto wish : wishes) {
    const auto choice = host::choose_acceleration(
        wish, trial_domain(stage.boot_files.at(experiment.guest.image), machines, tools.folders), machines, tools.clock,
        tools.folders);
    stage.virtualisation[wish] = choice.use;
    if (choice.use == host::Virtualisation::tcg) {
      announcer.step("warning: the guest's CPU is emulated (" + choice.why +
                     "); its times compare with each other, not with a real machine");
    }
  }
  make_drives(experiment, tools, announcer, stage);
  return stage;
}

}  // namespace swaprig::batch
