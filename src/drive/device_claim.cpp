#include "drive/device_claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "drive/device_content.hpp"
#include "drive/device_hold.hpp"
#include "drive/drive_label.hpp"
#include "drive/partition_table.hpp"
#include "drive/refusals.hpp"

namespace swaprig::drive {

namespace {

/// Held, and seen again while held: nothing can change in between.
struct Held {
  BlockDevices devices;
  const BlockDevice* device;
  DeviceHold hold;
};

Held hold_of(const std::filesystem::path& path, const std::filesystem::path& lock_folder, CommandRunner& commands) {
  const auto named = look_up(path);
  const auto place = named.block_device ? place_of(named.number) : std::nullopt;
  if (!place) device_at(path, {});  // says what is wrong with the path
  DeviceHold hold(*place, lock_folder);
  Held held{read_block_devices(commands, {named.number, false, "/dev/disk"}), nullptr, std::move(hold)};
  held.device = &device_at(path, held.devices);
  return held;
}

void refuse(const std::string& doing, const std::filesystem::path& path, std::vector<Refusal> refusals,
            const std::vector<Refusal>& of_hold) {
  refusals = with_hold(std::move(refusals), of_hold);
  if (refusals.empty()) return;
  throw HostError(fmt::format("cannot {} {}; nothing was written:{}", doing, path.string(), to_text(refusals)));
}

/// The label covers the whole of it with one partition that says whose it is.
Layout claim_layout(const BlockDevice& device) {
  return lay_out({{k_claim_name, std::nullopt, spec::PartitionType::ext4, false}}, device.size);
}

Fd open_for_writing(const BlockDevice& device) {
  return open_file(device.path, O_RDWR, "cannot open the drive for writing");
}

}  // namespace

const BlockDevice& device_at(const std::filesystem::path& path, const BlockDevices& devices) {
  const auto named = look_up(path);
  const auto* device = named.block_device ? devices.find(named.number) : nullptr;
  if (device != nullptr) return *device;
  throw HostError(fmt::format("{} is {}; swaprig drive list shows the drives of this host", path.string(),
                              !named.exists        ? "not there"
                              : named.block_device ? "an empty device"
                                                   : "no block device"));
}

void forget_partitions(const BlockDevice& drive, const BlockDevices& devices) {
  const auto parts = devices.partitions(drive);
  if (parts.empty()) return;
  const auto fd = open_file(drive.path, O_RDONLY, "cannot open the drive");
  for (const auto* part : parts) {
    struct blkpg_partition which {};
    which.pno = part->partition;
    struct blkpg_ioctl_arg request {
      BLKPG_DEL_PARTITION, 0, sizeof which, &which
    };
    if (::ioctl(fd.get(), BLKPG, &request) != 0 && errno != ENXIO) {
      throw FileError("cannot make the kernel forget the partition", part->path, errno);
    }
  }
}

void claim_device(const std::filesystem::path& path, const std::string& typed, const std::filesystem::path& lock_folder,
                  CommandRunner& commands) {
  auto held = hold_of(path, lock_folder, commands);
  const auto& device = *held.device;
  refuse("claim", path, claim_refusals(device, held.devices, ::geteuid()), held.hold.refusals());
  if (typed != claim_word(device)) {
    throw HostError(fmt::format("cannot claim {}; nothing was written: the {} is {}, not {}", path.string(),
                                device.partition > 0 ? "PARTUUID" : "serial", claim_word(device),
                                printable_line(typed)));
  }
  const auto layout = claim_layout(device);  // too small: before anything is written
  for (const auto* part : held.devices.partitions(device)) {
    wipe_signatures(open_for_writing(*part).get(), part->path, {});
  }
  wipe_signatures(open_for_writing(device).get(), device.path, {});
  forget_partitions(device, held.devices);
  const TableStyle style{label_guid(device), device.logical_sector};
  write_partition_table(device.path, layout, claim_word(device), commands, style);
  read_back_layout(device.path, layout, claim_word(device), commands, style);
}

void release_device(const std::filesystem::path& path, const std::filesystem::path& lock_folder,
                    CommandRunner& commands) {
  auto held = hold_of(path, lock_folder, commands);
  const auto& device = *held.device;
  if (!is_claimed(device)) {
    throw HostError(
        fmt::format("cannot release {}; nothing was written: it is not claimed for swaprig", path.string()));
  }
  refuse("release", path, claim_refusals(device, held.devices, ::geteuid()), held.hold.refusals());
  wipe_signatures(open_for_writing(device).get(), device.path, {"gpt", "PMBR"});
  forget_partitions(device, held.devices);
}

}  // namespace swaprig::drive
