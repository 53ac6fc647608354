#include "drive/refusals.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "drive/drive_label.hpp"

namespace swaprig::drive {

namespace {

struct Rule {
  const char* name;
  bool can_be_allowed;
};

/// Nothing that says that another drive is meant, that data in use would be lost, or that two would write at once can
/// be allowed.
constexpr std::array k_rules{Rule{"active-swap", false},
                             Rule{"backing-hidden", false},
                             Rule{"backing-image", true},
                             Rule{"foreign-signature", true},
                             Rule{"held-exclusively", false},
                             Rule{"holder", false},
                             Rule{"id-changed", false},
                             Rule{"link-moved", false},
                             Rule{"locked-by-other-swaprig", false},
                             Rule{"loop-buffered", true},
                             Rule{"loop-of-someone-else", true},
                             Rule{"loop-shared", false},
                             Rule{"luks", true},
                             Rule{"lvm-member", true},
                             Rule{"mounted", false},
                             Rule{"neighbour-in-use", true},
                             Rule{"no-direct-io", true},
                             Rule{"no-serial", false},
                             Rule{"not-a-block-device", false},
                             Rule{"not-a-drive", false},
                             Rule{"not-claimed", false},
                             Rule{"partition-in-use", false},
                             Rule{"raid-member", true},
                             Rule{"read-only", false},
                             Rule{"removed", false},
                             Rule{"root-drive", false},
                             Rule{"serial-differs", false},
                             Rule{"size-differs", false},
                             Rule{"unreadable", false},
                             Rule{"unstable-path", true},
                             Rule{"used-by-domain", false},
                             Rule{"used-by-process", true},
                             Rule{"whole-or-part", false},
                             Rule{"zfs-member", true},
                             Rule{"zoned", false}};

class List {
 public:
  void add(const char* name, std::string message, std::string advice) {
    const auto rule =
        std::find_if(k_rules.begin(), k_rules.end(), [&](const Rule& r) { return std::string_view(r.name) == name; });
    SWAPRIG_ASSERT(rule != k_rules.end());
    m_refusals.push_back({name, std::move(message), std::move(advice), rule->can_be_allowed});
  }
  void add(std::vector<Refusal> more) { m_refusals.insert(m_refusals.end(), more.begin(), more.end()); }
  std::vector<Refusal> take() { return std::move(m_refusals); }

 private:
  std::vector<Refusal> m_refusals;
};

void add_use(const DeviceUse& use, const std::string& whose, List& list) {
  const auto by = printable_line(use.by);
  switch (use.kind) {
    case DeviceUse::Kind::mount:
      return list.add("mounted", fmt::format("{} is mounted {}", whose, by), "unmount it");
    case DeviceUse::Kind::swap:
      return list.add("active-swap", fmt::format("{} is swap of this host, {}", whose, by),
                      "swapoff, and name another");
    case DeviceUse::Kind::holder:
      return list.add("holder", fmt::format("{} lies below {}", whose, by),
                      "take that down first, or name another drive");
    case DeviceUse::Kind::process:
      return list.add("used-by-process", fmt::format("{} has {} open", by, whose),
                      "wait until it has ended, or stop it");
    case DeviceUse::Kind::domain:
      return list.add("used-by-domain", fmt::format("{} has {} open", by, whose),
                      "shut it down, or name another drive");
  }
}

/// A wanted drive is in use when a partition of it is. Of a wanted partition the whole must not be in use as one, and
/// what lies beside it makes the arm move during runs.
void add_uses(const BlockDevice& device, const BlockDevices& devices, List& list) {
  for (const auto& use : device.uses) add_use(use, device.name, list);
  if (device.partition == 0) {
    for (const auto* part : devices.partitions(device)) {
      for (const auto& use : part->uses) add_use(use, "its partition " + part->name, list);
    }
    return;
  }
  const auto& drive = devices.whole(device);
  for (const auto& use : drive.uses) {
    list.add("partition-in-use", fmt::format("the whole drive {} is in use: {}", drive.name, printable_line(use.by)),
             "name a partition of a drive that is not in use as a whole");
  }
  for (const auto* part : devices.partitions(drive)) {
    if (part == &device || part->uses.empty()) continue;
    list.add("neighbour-in-use",
             fmt::format("{} on the same drive is in use: {}; the arm would go there during runs", part->name,
                         printable_line(part->uses.front().by)),
             "take it out of use while runs last");
  }
}

const char* rule_of(const Signature& signature) {
  const auto& type = signature.type;
  if (type == "LVM1_member" || type == "LVM2_member") return "lvm-member";
  if (type == "zfs_member") return "zfs-member";
  if (type == "crypto_LUKS") return "luks";
  if (type == "qcow2" || type == "vmdk" || type == "vhdx") return "backing-image";
  if (type.ends_with("_raid_member") || signature.usage == "raid") return "raid-member";
  return "foreign-signature";
}

bool is_our_table(const Signature& signature, const BlockDevice& device) {
  if (!is_claimed(device)) return false;
  return signature.type == "PMBR" ||
         (signature.type == "gpt" && ::strcasecmp(signature.uuid.c_str(), label_guid(device).c_str()) == 0);
}

/// Headers of image files (which a claim does not mend: the device is not what its user thinks), or the others.
void add_signatures(const BlockDevice& device, bool images, List& list) {
  std::vector<std::string> told;
  const bool has_gpt = std::any_of(device.signatures.begin(), device.signatures.end(),
                                   [](const Signature& signature) { return signature.type == "gpt"; });
  if (has_gpt) told.emplace_back("PMBR");  // a part of it
  for (const auto& signature : device.signatures) {
    if ((signature.usage == "image") != images || is_our_table(signature, device)) continue;
    if (std::find(told.begin(), told.end(), signature.type) != told.end()) continue;  // tables have a copy at the end
    told.push_back(signature.type);
    const auto label = signature.label.empty() ? "" : fmt::format(" \"{}\"", printable_line(signature.label, 60));
    list.add(rule_of(signature),
             fmt::format("{} holds {}{} (at byte {})", device.name, signature.type, label, signature.offset.count),
             images ? "qemu-img convert it to a raw file" : "save what is on it; swaprig drive claim erases it");
  }
}

void add_loop(const BlockDevice& device, unsigned our_user, List& list) {
  const auto& loop = *device.loop;
  const auto file = printable_line(loop.file);
  if (!loop.direct) {
    list.add("loop-buffered", fmt::format("the host caches {} behind {} (no direct I/O)", file, device.name),
             fmt::format("losetup --direct-io=on {}, on a file system that has O_DIRECT", device.path));
  }
  if (!loop.visible) {
    list.add("backing-hidden",
             fmt::format("the file {} behind {} {}", file, device.name,
                         loop.deleted ? "is deleted" : "is not what is there under that name"),
             "attach the file anew");
  } else if (loop.owner != our_user) {
    list.add("loop-of-someone-else",
             fmt::format("the file {} behind {} belongs to user {}", file, device.name, loop.owner),
             "use a file of your own");
  }
  if (!loop.shared_with.empty()) {
    list.add("loop-shared", fmt::format("the file {} is behind {} as well", file, join(loop.shared_with, ", ")),
             "detach the other one");
  }
}

bool is_drive(const BlockDevice& device) {
  return device.type == "disk" || device.type == "loop" || device.partition > 0;
}

List without_claim(const BlockDevice& device, const BlockDevices& devices, unsigned our_user) {
  List list;
  const auto& drive = devices.whole(device);
  if (device.size.count == 0) list.add("removed", device.name + " has no medium", "put it in");
  if (!is_drive(device)) {
    list.add("not-a-drive", fmt::format("{} is no drive (lsblk calls it {})", device.name, printable_line(device.type)),
             "name the drive itself");
  }
  if (device.below_root || drive.below_root) {
    list.add("root-drive", fmt::format("the root file system of this host lies on {}", drive.name),
             "name another drive");
  }
  add_uses(device, devices, list);
  if (device.read_only) list.add("read-only", device.name + " is read-only", "blockdev --setrw, or its switch");
  if (!device.zoned.empty() && device.zoned != "none") {
    list.add("zoned", fmt::format("{} is zoned ({})", device.name, device.zoned), "name a drive without zones");
  }
  if (!device.unreadable.empty()) {
    list.add("unreadable",
             fmt::format("what is on {} cannot be seen: {}", device.name, printable_line(device.unreadable)),
             "run swaprig as root, and see the kernel log");
  }
  if (claim_word(device).empty()) {
    list.add("no-serial",
             fmt::format("{} has no {}, so it cannot be told from another", device.name,
                         device.partition > 0 ? "PARTUUID" : "serial"),
             "name a drive that has one");
  }
  if (device.without_direct_io) {
    list.add("no-direct-io", device.name + " cannot be read with O_DIRECT, so the host would cache it",
             "name another drive");
  }
  add_signatures(device, true, list);
  if (drive.loop) add_loop(drive, our_user, list);
  return list;
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void compare_identity(const spec::DeviceBacking& wanted, const BlockDevice& device, List& list) {
  if (wanted.one_partition && ::strcasecmp(last_part(wanted.path).c_str(), device.partuuid.c_str()) != 0) {
    list.add("id-changed",
             fmt::format("the partition there has the PARTUUID {}", device.partuuid.empty() ? "none" : device.partuuid),
             "swaprig drive list shows what is there now; udevadm trigger makes links anew");
  }
  if (!wanted.one_partition && wanted.serial != device.serial) {
    list.add(
        "serial-differs",
        fmt::format("{} has the serial {} instead of {}", device.name, device.serial.empty() ? "(none)" : device.serial,
                    wanted.serial.empty() ? "(none)" : printable_line(wanted.serial)),
        "another drive is there than the file means; swaprig drive list shows what is there now");
  }
  if (wanted.size != device.size) {
    list.add("size-differs",
             fmt::format("{} has {} instead of {}", device.name, exact(device.size), exact(wanted.size)),
             "another drive is there than the file means; swaprig drive list shows what is there now");
  }
}

}  // namespace

std::vector<Refusal> claim_refusals(const BlockDevice& device, const BlockDevices& devices, unsigned our_user) {
  return without_claim(device, devices, our_user).take();
}

std::vector<Refusal> device_refusals(const BlockDevice& device, const BlockDevices& devices, unsigned our_user) {
  auto list = without_claim(device, devices, our_user);
  add_signatures(device, false, list);
  if (!is_claimed(device)) {
    list.add("not-claimed", device.name + " is not claimed for swaprig", "swaprig drive claim " + device.path);
  }
  return list.take();
}

std::vector<Refusal> backing_refusals(const spec::DeviceBacking& wanted, const NamedDevice& named,
                                      const BlockDevices& devices, unsigned our_user) {
  List list;
  const auto* device = named.block_device ? devices.find(named.number) : nullptr;
  if (!named.exists) {
    list.add("removed", "nothing is there", "swaprig drive list shows the drives of this host");
    return list.take();
  }
  if (!named.block_device) {
    list.add("not-a-block-device", "that is no block device", "swaprig drive list shows the drives of this host");
    return list.take();
  }
  if (device == nullptr || device->size.count == 0) {
    list.add("removed", "the drive is gone, or has no medium", "swaprig drive list shows the drives of this host");
    return list.take();
  }
  if (wanted.one_partition != (device->partition > 0)) {
    list.add("whole-or-part",
             fmt::format("{} is {}", device->name, device->partition > 0 ? "a partition" : "a whole drive"),
             device->partition > 0 ? "partition = \"/dev/disk/by-partuuid/...\"" : "device = \"/dev/disk/by-id/...\"");
  }
  if (!named.link && !device->loop) {
    list.add("unstable-path", fmt::format("{} may name another drive after the next boot", printable_line(wanted.path)),
             device->links.empty() ? "name its link below /dev/disk/by-id" : "name it " + device->links.front());
  }
  compare_identity(wanted, *device, list);
  list.add(device_refusals(*device, devices, our_user));
  return list.take();
}

HeldIdentity identity_of(const BlockDevice& device) {
  return {device.number, device.serial, device.wwn, device.partuuid, device.start, device.size, device.sequence};
}

std::vector<Refusal> changes(const HeldIdentity& held, const std::string& path, const NamedDevice& named,
                             const BlockDevices& devices) {
  List list;
  const auto* device = devices.find(held.number);
  if (!named.exists) {
    list.add("removed", fmt::format("{} is not there any more", printable_line(path)), "see the kernel log");
  } else if (!named.block_device || named.number != held.number) {
    list.add("link-moved", fmt::format("{} leads to another device now", printable_line(path)),
             "find out what moved it; the drive that was taken is left alone");
  }
  if (device == nullptr || device->size.count == 0) {
    list.add("removed", "the drive is gone", "see the kernel log");
    return list.take();
  }
  if (device->serial != held.serial) {
    list.add("serial-differs",
             fmt::format("{} has the serial {} instead of {}", device->name, device->serial, held.serial),
             "the drive was exchanged");
  }
  if (device->size != held.size) {
    list.add("size-differs",
             fmt::format("{} has {} instead of {}", device->name, exact(device->size), exact(held.size)),
             "the drive was exchanged, or changed its size");
  }
  if (device->wwn != held.wwn || device->partuuid != held.partuuid || device->sequence != held.sequence ||
      device->start != held.start) {
    list.add("id-changed", device->name + " was detached and attached since, or its partition moved", "begin anew");
  }
  return list.take();
}

Refusal locked_elsewhere(const std::string& holder) {
  List list;
  list.add("locked-by-other-swaprig", fmt::format("the drive is in use by process {}", printable_line(holder)),
           "wait until it has ended, or stop it");
  return list.take().front();
}

Refusal held_exclusively() {
  List list;
  list.add("held-exclusively",
           "something else holds the device for itself (a mount that is not seen, RAID, ZFS, a target)",
           "find it with lsof, mdadm, zpool, targetcli, and take it down");
  return list.take().front();
}

Refusal not_held(const std::string& path, const std::string& error) {
  List list;
  list.add("unreadable", fmt::format("{} cannot be opened: {}", printable_line(path), printable_line(error)),
           "run swaprig as root, and see the kernel log");
  return list.take().front();
}

std::vector<Refusal> with_hold(std::vector<Refusal> refusals, const std::vector<Refusal>& of_hold) {
  for (const auto& refusal : of_hold) {
    if (refusals.empty() || refusal.name == "locked-by-other-swaprig") refusals.insert(refusals.begin(), refusal);
  }
  return refusals;
}

std::vector<Refusal> standing(std::vector<Refusal> refusals, const std::vector<std::string>& allowed) {
  std::erase_if(refusals, [&](const Refusal& refusal) {
    return refusal.can_be_allowed && std::find(allowed.begin(), allowed.end(), refusal.name) != allowed.end();
  });
  return refusals;
}

std::vector<std::string> names_that_can_be_allowed() {
  std::vector<std::string> names;
  for (const auto& rule : k_rules) {
    if (rule.can_be_allowed) names.emplace_back(rule.name);
  }
  return names;
}

std::string to_text(const std::vector<Refusal>& refusals) {
  std::string text;
  for (const auto& refusal : refusals) {
    text += fmt::format("\n  {}: {}; {}{}", refusal.name, refusal.message, refusal.advice,
                        refusal.can_be_allowed ? fmt::format(" (or --allow {})", refusal.name) : "");
  }
  return text;
}

std::string usability(const std::vector<Refusal>& refusals) {
  if (refusals.empty()) return "yes";
  static const std::array<std::string_view, 6> k_mended{"not-claimed", "foreign-signature", "lvm-member", "raid-member",
                                                        "luks",        "zfs-member"};
  const bool claim_mends = std::all_of(refusals.begin(), refusals.end(), [](const Refusal& refusal) {
    return std::find(k_mended.begin(), k_mended.end(), refusal.name) != k_mended.end();
  });
  return claim_mends ? "claim" : "no";
}

}  // namespace swaprig::drive
