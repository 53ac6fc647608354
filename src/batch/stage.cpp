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

/// Before anything large is written.
void require_room_for(image::ImageStore& images, const spec::Experiment& experiment, const run::Stage& stage) {
  const auto root = experiment.root();
  const auto& drive = experiment.drive(root.drive);
  const auto size = drive::lay_out(drive.partitions, drive.size()).partition(root.partition).size;
  for (const auto& [name, files] : stage.boot_files) images.require_fits(files.image, size);
}

Bytes largest_image(const run::Stage& stage) {
  Bytes largest;
  for (const auto& [name, files] : stage.boot_files) largest = std::max(largest, files.image.data);
  return largest;
}

/// Of the memory that is free beside the largest guest, half: the rest is for QEMU, the host's caches and the user.
Bytes memory_for_drives(const spec::Experiment& experiment) {
  const auto free = host::available_memory();
  const auto guest = largest_memory(experiment);
  return free > guest ? Bytes{(free - guest).count / 2} : Bytes{0};
}

struct BytesPlan {
  bool in_memory = false;
  Bytes expected;
  Bytes room;
};

/// Which simulated drives' bytes go into memory, and how much each may take there: what is expected, and an even share of
/// what is left, so that no workload fills the host's memory.
std::map<std::string, BytesPlan> plan_bytes(const spec::Experiment& experiment, Bytes image) {
  std::map<std::string, BytesPlan> plans;
  auto left = memory_for_drives(experiment);
  std::uint64_t in_memory = 0;
  for (const auto& drive : experiment.drives) {
    if (drive.simulated() == nullptr) continue;
    auto& plan = plans[drive.name];
    plan.expected = written_in_a_run(experiment, drive, image);
    if (const auto& room = drive.simulated()->room) plan.expected = std::min(plan.expected, *room);
    plan.in_memory = plan.expected <= left;
    if (!plan.in_memory) continue;
    left = left - plan.expected;
    ++in_memory;
  }
  for (auto& [name, plan] : plans) {
    if (plan.in_memory) plan.room = plan.expected + Bytes{left.count / in_memory};
    if (const auto& room = experiment.drive(name).simulated()->room) plan.room = *room;
  }
  return plans;
}

void make_drives(const spec::Experiment& experiment, const std::vector<std::string>& allowed, Tools& tools,
                 const std::filesystem::path& socket_folder, Announcer& announcer, run::Stage& stage) {
  const auto folder = tools.folders.state / "drives" / slug(experiment.name);
  make_folders(folder);
  const auto plans = plan_bytes(experiment, largest_image(stage));
  Bytes promised;
  for (const auto& drive : experiment.drives) {
    tools.stop.check();
    const auto serial = drive_serial(experiment.name, drive.name);
    if (const auto* simulated = drive.simulated()) {
      const auto& plan = plans.at(drive.name);
      announcer.step(fmt::format("drive {}: {} simulated, its bytes in {}", printable_line(drive.name),
                                 printable_line(simulated->profile.title),
                                 plan.in_memory ? "memory" : folder.string()));
      if (!plan.in_memory) {
        promised = promised + plan.expected;  // sparse: nothing of it is taken yet
        host::require_space(folder, promised);
      }
      stage.drives.push_back(drive::make_simulated_drive(
          drive, {folder, socket_folder, tools.simdrive, plan.in_memory, plan.room}, serial, tools.commands));
      continue;
    }
    if (const auto* device = drive.device()) {
      announcer.step(fmt::format("drive {}: taking hold of {} ({}), making its partitions", printable_line(drive.name),
                                 printable_line(device->path), exact(drive.size())));
      stage.drives.push_back(drive::make_device_drive(drive, allowed, tools.folders.state / "drives", serial, tools.commands));
      continue;
    }
    announcer.step(fmt::format("drive {}: writing {} in full", printable_line(drive.name), exact(drive.size())));
    stage.drives.push_back(drive::make_file_drive(drive, folder, serial, tools.commands,
                                                  [&](Bytes) { tools.stop.check(); }));
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
  for (const auto& drive : experiment.drives) {
    if (std::holds_alternative<spec::FileBacking>(drive.backing)) total = total + drive.size();
  }
  return total;
}

Bytes written_in_a_run(const spec::Experiment& experiment, const spec::Drive& drive, Bytes image) {
  constexpr std::uint64_t k_most_swapped = 16;  // times the guest's memory: no workload would end
  constexpr Bytes k_root_writes = mib(256);  // journal, tables and what the guest itself writes
  Bytes most_swap;
  for (const auto& scenario : experiment.scenarios) {
    Bytes swap;
    for (const auto& area : scenario.swap) {
      // A partition costs what is swapped out to it; a file by dd is written whole.
      const auto most = area.file.empty() ? Bytes{scenario.guest.memory.count * k_most_swapped} : area.size;
      const auto other = area.beside.empty() ? Bytes{0} : area.size;
      if (area.where.drive == drive.name) swap = swap + std::min(area.size, most) + other;
    }
    // Freed blocks are used again, but not at once; the file system's own tables are 1.6 % of an ext4.
    if (scenario.on && scenario.on->drive == drive.name) {
      const auto room = drive::lay_out(drive.partitions, drive.size()).partition(scenario.on->partition).size;
      swap = swap + std::min(room, experiment.workload.creation->written() + Bytes{room.count / 32});
    }
    most_swap = std::max(most_swap, swap);
  }
  const bool holds_root = experiment.root().drive == drive.name;
  return most_swap + (holds_root ? image + k_root_writes : Bytes{0});
}

std::string drive_serial(const std::string& experiment, const std::string& drive) {
  std::string name = "sr-" + sha256(experiment + "\n" + drive).substr(0, 8) + "-";
  for (const char c : slug(drive)) {
    if (name.size() < k_serial_limit) name += c;
  }
  return name;
}

run::Stage set_stage(const spec::Experiment& experiment, const std::vector<std::string>& allowed,
                     host::MachineHost& machines, image::ImageStore& images, Tools& tools, Announcer& announcer) {
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
  require_room_for(images, experiment, stage);
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
  make_drives(experiment, allowed, tools, machines.socket_folder(), announcer, stage);
  return stage;
}

}  // namespace swaprig::batch
