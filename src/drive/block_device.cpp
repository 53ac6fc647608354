#include "drive/block_device.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "drive/device_content.hpp"
#include "drive/device_uses.hpp"
#include "drive/drive_health.hpp"
#include "drive/queue_settings.hpp"

namespace swaprig::drive {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_longest_answer = std::size_t{16} << 20U;
constexpr std::size_t k_readers = 8;
constexpr std::size_t k_digest_length = 16;
constexpr std::uint64_t k_sysfs_sector = 512;  // sysfs counts in it whatever the drive's sectors are

fs::path sys_folder(const BlockDevice& device) { return fs::path("/sys/class/block") / device.name; }

std::string sys_text(const BlockDevice& device, const std::string& attribute) {
  return std::string(trim(try_read_file(sys_folder(device) / attribute, kib(64)).value_or("")));
}

std::uint64_t sys_number(const BlockDevice& device, const std::string& attribute) {
  return std::strtoull(sys_text(device, attribute).c_str(), nullptr, 10);
}

std::string text_of(const nlohmann::json& json, const char* key) {
  const auto value = json.value(key, nlohmann::json());
  return value.is_string() ? std::string(trim(value.get<std::string>())) : std::string();
}

/// lsblk gives numbers and truths as they are, or, in older versions, as text.
std::uint64_t number_of(const nlohmann::json& json, const char* key) {
  const auto value = json.value(key, nlohmann::json());
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  return value.is_string() ? std::strtoull(value.get<std::string>().c_str(), nullptr, 10) : 0;
}

bool truth_of(const nlohmann::json& json, const char* key) {
  const auto value = json.value(key, nlohmann::json());
  return value == true || value == "1";
}

/// sysfs writes slashes of names as exclamation marks.
std::string node_of(std::string name) {
  std::replace(name.begin(), name.end(), '!', '/');
  return "/dev/" + name;
}

BlockDevice device_of(const nlohmann::json& row) {
  BlockDevice device;
  device.name = text_of(row, "kname");
  device.path = node_of(device.name);
  std::sscanf(text_of(row, "maj:min").c_str(), "%u:%u", &device.number.major, &device.number.minor);
  device.type = text_of(row, "type");
  device.size = Bytes{number_of(row, "size")};
  device.vendor = printable_line(text_of(row, "vendor"));
  device.model = printable_line(text_of(row, "model"));
  device.serial = printable_line(text_of(row, "serial"));
  device.wwn = printable_line(text_of(row, "wwn"));
  device.firmware = printable_line(text_of(row, "rev"));
  device.transport = text_of(row, "tran");
  device.read_ahead = kib(number_of(row, "ra"));
  device.logical_sector = static_cast<int>(number_of(row, "log-sec"));
  device.physical_sector = static_cast<int>(number_of(row, "phy-sec"));
  device.rotational = truth_of(row, "rota");
  device.read_only = truth_of(row, "ro");
  device.removable = truth_of(row, "rm");
  device.zoned = text_of(row, "zoned");
  return device;
}

void read_sysfs(BlockDevice& device) {
  // Not lsblk's SCHED: that of util-linux 2.38 now and then holds bytes of something else.
  device.scheduler = chosen_scheduler(sys_text(device, "queue/scheduler"));
  device.sequence = sys_number(device, "diskseq");
  device.partition = static_cast<int>(sys_number(device, "partition"));
  if (device.partition > 0) {
    std::error_code error;
    device.drive = fs::canonical(sys_folder(device), error).parent_path().filename().string();
    device.start = Bytes{sys_number(device, "start") * k_sysfs_sector};
    device.sequence = sys_number(device, "../diskseq");
  }
  if (device.firmware.empty()) device.firmware = printable_line(sys_text(device, "device/firmware_rev"));
  if (device.wwn.empty()) device.wwn = printable_line(sys_text(device, "wwid"));
  if (device.serial.empty() && device.partition == 0) {
    // SCSI's page of the unit serial number, where no udev has read it: four bytes of header before the text.
    const auto page = try_read_file(sys_folder(device) / "device/vpd_pg80", kib(64)).value_or("");
    if (page.size() > 4) device.serial = printable_line(trim(page.substr(4)));
  }
}

void read_loop(BlockDevice& device) {
  LoopBacking loop;
  loop.file = sys_text(device, "loop/backing_file");
  constexpr std::string_view k_deleted = " (deleted)";
  loop.deleted = loop.file.ends_with(k_deleted);
  if (loop.deleted) loop.file.resize(loop.file.size() - k_deleted.size());
  loop.direct = sys_text(device, "loop/dio") == "1";
  struct loop_info64 info {};
  const Fd fd(::open(device.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd && ::ioctl(fd.get(), LOOP_GET_STATUS64, &info) == 0) {
    loop.identity = fmt::format("{}:{}:{}:{}", info.lo_device, info.lo_inode, info.lo_offset, info.lo_sizelimit);
    device.serial = loop_serial(loop.identity);
    struct stat file {};
    // The path is that of whoever attached it, perhaps in another mount namespace; the inode is sure.
    loop.visible = !loop.deleted && ::stat(loop.file.c_str(), &file) == 0 && file.st_ino == info.lo_inode;
    if (loop.visible) loop.owner = file.st_uid;
  }
  device.loop = std::move(loop);
}

std::optional<FileNumber> backing_number(const BlockDevice& device) {
  struct stat file {};
  if (!device.loop || !device.loop->visible || ::stat(device.loop->file.c_str(), &file) != 0) return std::nullopt;
  return FileNumber{file.st_dev, file.st_ino};
}

/// "/dev/disk/by-id" and, for partitions, "by-partuuid".
void read_links(BlockDevices& devices, const fs::path& folder) {
  std::error_code error;
  devices.stable_links = fs::is_directory(folder / "by-id", error);
  for (const auto* kind : {"by-id", "by-partuuid"}) {
    for (const auto& entry : fs::directory_iterator(folder / kind, error)) {
      const auto named = look_up(entry.path());
      for (auto& device : devices.all) {
        if (named.block_device && device.number == named.number) device.links.push_back(entry.path().string());
      }
    }
  }
  for (auto& device : devices.all) std::sort(device.links.begin(), device.links.end());
}

/// What lies on top: device mapper, RAID, bcache by the kernel's list; loop devices over a device by their backing.
void read_holders(BlockDevices& devices) {
  for (auto& device : devices.all) {
    std::error_code error;
    for (const auto& holder : fs::directory_iterator(sys_folder(device) / "holders", error)) {
      const auto name = holder.path().filename().string();
      const auto mapped = std::string(trim(try_read_file(holder.path() / "dm/name").value_or("")));
      device.uses.push_back(
          {DeviceUse::Kind::holder, mapped.empty() ? name : fmt::format("{} ({})", name, printable_line(mapped)), 0});
    }
  }
  for (const auto& above : devices.all) {
    if (!above.loop) continue;
    const auto below = look_up(above.loop->file);
    for (auto& device : devices.all) {
      if (below.block_device && device.number == below.number) {
        device.uses.push_back({DeviceUse::Kind::holder, "the loop device " + above.name, 0});
      }
    }
  }
}

void read_shared_files(std::vector<BlockDevice>& all) {
  std::map<FileNumber, std::vector<std::size_t>> loops;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto file = backing_number(all[i])) loops[*file].push_back(i);
  }
  for (const auto& [file, same] : loops) {
    for (const auto i : same) {
      for (const auto j : same) {
        if (i != j) all[i].loop->shared_with.push_back(all[j].name);
      }
    }
  }
}

/// From a device down to everything that it lies on.
void mark_below(std::vector<BlockDevice>& all, DeviceNumber number, std::set<DeviceNumber>& seen) {
  if (!seen.insert(number).second) return;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.number == number; });
  if (found == all.end()) return;
  found->below_root = true;
  const auto mark = [&](const std::string& name) {
    const auto below = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.name == name; });
    if (below != all.end()) mark_below(all, below->number, seen);
  };
  if (!found->drive.empty()) mark(found->drive);
  std::error_code error;
  for (const auto& slave : fs::directory_iterator(sys_folder(*found) / "slaves", error)) {
    mark(slave.path().filename().string());
  }
  if (found->loop) {
    struct stat file {};
    if (::stat(found->loop->file.c_str(), &file) != 0) return;
    const auto below = S_ISBLK(file.st_mode) ? file.st_rdev : file.st_dev;
    mark_below(all, {gnu_dev_major(below), gnu_dev_minor(below)}, seen);
  }
}

void read_all_uses(BlockDevices& devices) {
  std::set<FileNumber> files;
  for (const auto& device : devices.all) {
    if (const auto file = backing_number(device)) files.insert(*file);
  }
  read_holders(devices);
  const auto seen = read_uses(files);
  devices.all_seen = seen.all_seen;
  for (auto& device : devices.all) {
    const auto own = seen.devices.find(device.number);
    if (own != seen.devices.end()) device.uses.insert(device.uses.end(), own->second.begin(), own->second.end());
    const auto file = backing_number(device);
    const auto of_file = file ? seen.files.find(*file) : seen.files.end();
    if (of_file == seen.files.end()) continue;
    device.uses.insert(device.uses.end(), of_file->second.begin(), of_file->second.end());
  }
  std::set<DeviceNumber> marked;
  for (const auto& root : seen.roots) mark_below(devices.all, root, marked);
}

/// Several at a time: each waits for its drive, not for a processor.
void read_contents(BlockDevices& devices, const ReadingOptions& options) {
  const auto* asked = options.content_of ? devices.find(*options.content_of) : nullptr;
  const auto drive = asked != nullptr ? devices.whole(*asked).name : std::string();
  std::vector<BlockDevice*> wanted;
  for (auto& device : devices.all) {
    if (!options.content_of || device.name == drive || device.drive == drive) wanted.push_back(&device);
  }
  std::atomic<std::size_t> next{0};
  const auto read = [&] {
    for (std::size_t i = next++; i < wanted.size(); i = next++) {
      auto& device = *wanted[i];
      auto content = read_content(device.path, device.partition > 0);
      device.signatures = std::move(content.signatures);
      device.partuuid = std::move(content.partuuid);
      device.unreadable = std::move(content.unreadable);
      device.without_direct_io = content.without_direct_io;
    }
  };
  std::vector<std::jthread> readers;
  for (std::size_t i = 1; i < std::min(k_readers, wanted.size()); ++i) readers.emplace_back(read);
  read();
}

nlohmann::json lsblk(CommandRunner& commands) {
  Command command;
  command.program = "lsblk";
  command.arguments = {"--json", "--list", "--bytes", "--output",
                       "KNAME,MAJ:MIN,TYPE,SIZE,VENDOR,MODEL,SERIAL,WWN,REV,TRAN,RA,LOG-SEC,PHY-SEC,ROTA,RO,RM,ZONED"};
  const auto answer = printable(run_checked(commands, command), k_longest_answer);  // serials may hold anything
  try {
    return nlohmann::json::parse(answer).at("blockdevices");
  } catch (const nlohmann::json::exception& error) {
    // Without any device lsblk prints nothing at all.
    if (trim(answer).empty()) return nlohmann::json::array();
    throw HostError(
        fmt::format("lsblk --json gave an answer of another form ({}): {}", error.what(), printable_line(answer, 200)));
  }
}

}  // namespace

std::string to_string(DeviceNumber number) { return fmt::format("{}:{}", number.major, number.minor); }

const BlockDevice* BlockDevices::find(DeviceNumber number) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.number == number; });
  return found == all.end() ? nullptr : &*found;
}

const BlockDevice* BlockDevices::find(const std::string& name) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const BlockDevice& BlockDevices::whole(const BlockDevice& device) const {
  const auto* drive = device.drive.empty() ? nullptr : find(device.drive);
  return drive != nullptr ? *drive : device;
}

std::vector<const BlockDevice*> BlockDevices::partitions(const BlockDevice& drive) const {
  std::vector<const BlockDevice*> found;
  for (const auto& device : all) {
    if (device.partition > 0 && device.drive == drive.name) found.push_back(&device);
  }
  return found;
}

BlockDevices read_block_devices(CommandRunner& commands, const ReadingOptions& options) {
  BlockDevices devices;
  std::set<std::string> seen;
  for (const auto& row : lsblk(commands)) {
    auto device = device_of(row);
    if (!seen.insert(device.name).second) continue;  // a mapped device shows once below each that it lies on
    read_sysfs(device);
    if (device.type == "loop") read_loop(device);
    devices.all.push_back(std::move(device));
  }
  read_links(devices, options.link_folder);
  read_shared_files(devices.all);
  read_all_uses(devices);
  read_contents(devices, options);
  if (options.health) {
    for (auto& device : devices.all) {
      if (device.type == "disk") device.health = read_health(device.path, commands);
    }
  }
  return devices;
}

std::string loop_serial(const std::string& identity) {
  return "loop:" + sha256("swaprig loop\n" + identity).substr(0, k_digest_length);
}

NamedDevice look_up(const fs::path& path) {
  NamedDevice named;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return named;
  named.exists = true;
  named.block_device = S_ISBLK(info.st_mode);
  if (named.block_device) named.number = {gnu_dev_major(info.st_rdev), gnu_dev_minor(info.st_rdev)};
  named.link = ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
  return named;
}

std::optional<DevicePlace> place_of(DeviceNumber number) {
  std::error_code error;
  auto folder = fs::canonical(fs::path("/sys/dev/block") / to_string(number), error);
  if (error) return std::nullopt;
  DevicePlace place;
  place.path = node_of(folder.filename().string());
  if (fs::exists(folder / "partition", error)) folder = folder.parent_path();
  place.whole_name = folder.filename().string();
  place.whole_path = node_of(place.whole_name);
  place.whole = look_up(place.whole_path).number;
  return place;
}

}  // namespace swaprig::drive
