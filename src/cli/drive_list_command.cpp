#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/drive_verbs.hpp"
#include "drive/drive_label.hpp"
#include "drive/refusals.hpp"

namespace swaprig::cli {

namespace {

using drive::BlockDevice;
using drive::BlockDevices;
using drive::DeviceUse;

const char* word_of(DeviceUse::Kind kind) {
  switch (kind) {
    case DeviceUse::Kind::mount:
      return "mounted";
    case DeviceUse::Kind::swap:
      return "active swap";
    case DeviceUse::Kind::holder:
      return "below";
    case DeviceUse::Kind::process:
    case DeviceUse::Kind::domain:
      return "open in";
  }
  return "";
}

std::string kind_of(const BlockDevice& device) {
  if (device.type != "disk") return device.type;
  const std::string turning = device.rotational ? "HDD" : "SSD";
  return device.transport.empty() ? turning : turning + " " + device.transport;
}

std::string health_of(const BlockDevice& device) {
  if (!device.health || (!device.health->celsius && !device.health->passed)) return "-";
  std::vector<std::string> words;
  if (device.health->celsius) words.push_back(fmt::format("{} C", *device.health->celsius));
  if (device.health->passed) words.emplace_back(*device.health->passed ? "ok" : "FAILING");
  return join(words, " ");
}

std::string content_of_one(const BlockDevice& device) {
  std::vector<std::string> words;
  for (const auto& signature : device.signatures) {
    if (signature.type == "PMBR" || (signature.type == "gpt" && signature.offset > mib(1))) continue;
    if (signature.type == "gpt" && drive::is_claimed(device)) {
      words.emplace_back("claimed by swaprig");
      continue;
    }
    words.push_back(signature.label.empty() ? signature.type
                                            : fmt::format("{} \"{}\"", signature.type, signature.label));
  }
  if (!device.unreadable.empty()) words.push_back("not readable: " + device.unreadable);
  for (const auto& use : device.uses) words.push_back(fmt::format("{} {}", word_of(use.kind), printable_line(use.by)));
  if (device.below_root) words.emplace_back("below the root file system");
  return join(words, ", ");
}

void print_drive(const BlockDevice& device, const BlockDevices& devices) {
  const auto refusals = drive::device_refusals(device, devices, ::geteuid());
  const auto use = drive::usability(refusals);
  fmt::print("{:<10} {:>9}  {:>9}  {:<9} {:<20} {:<9} {:<12} {:>8}  {:<8} {}\n", device.name, rounded(device.size),
             fmt::format("{}/{}", device.logical_sector, device.physical_sector), kind_of(device),
             device.model.empty() ? "-" : device.model, device.firmware.empty() ? "-" : device.firmware,
             device.scheduler.empty() ? "-" : device.scheduler, rounded(device.read_ahead), health_of(device), use);
  fmt::print("    serial {}, size {}{}\n", device.serial.empty() ? "(none)" : device.serial, exact(device.size),
             device.wwn.empty() ? "" : ", wwn " + device.wwn);
  for (const auto& link : device.links) fmt::print("    {}\n", link);
  if (device.loop) {
    fmt::print("    over {}{}\n", printable_line(device.loop->file), device.loop->direct ? ", direct I/O" : ", cached");
  }
  const auto content = content_of(device, devices);
  fmt::print("    on it: {}\n", content.empty() ? "nothing that is known" : content);
  if (refusals.empty()) return;
  std::string whys;
  std::string last;
  for (const auto& refusal : refusals) {  // one message for each kind: --json has them all
    if (refusal.name != last) whys += fmt::format("{}{} ({})", last.empty() ? "" : "; ", refusal.name, refusal.message);
    last = refusal.name;
  }
  fmt::print("    {}: {}\n", use, whys);
}

nlohmann::json to_json(const BlockDevice& device, const BlockDevices& devices) {
  nlohmann::json json = {{"name", device.name},
                         {"path", device.path},
                         {"number", drive::to_string(device.number)},
                         {"type", device.type},
                         {"size", device.size.count},
                         {"vendor", device.vendor},
                         {"model", device.model},
                         {"serial", device.serial},
                         {"wwn", device.wwn},
                         {"firmware", device.firmware},
                         {"transport", device.transport},
                         {"scheduler", device.scheduler},
                         {"read_ahead", device.read_ahead.count},
                         {"logical_sector", device.logical_sector},
                         {"physical_sector", device.physical_sector},
                         {"rotational", device.rotational},
                         {"read_only", device.read_only},
                         {"removable", device.removable},
                         {"zoned", device.zoned},
                         {"links", device.links},
                         {"unreadable", device.unreadable},
                         {"below_root", device.below_root},
                         {"claimed", drive::is_claimed(device)},
                         {"signatures", nlohmann::json::array()},
                         {"uses", nlohmann::json::array()},
                         {"refusals", nlohmann::json::array()}};
  for (const auto& signature : device.signatures) {
    json["signatures"].push_back({{"type", signature.type},
                                  {"usage", signature.usage},
                                  {"uuid", signature.uuid},
                                  {"label", signature.label},
                                  {"offset", signature.offset.count}});
  }
  for (const auto& use : device.uses) json["uses"].push_back({{"kind", word_of(use.kind)}, {"by", use.by}});
  const auto refusals = drive::device_refusals(device, devices, ::geteuid());
  for (const auto& refusal : refusals) {
    json["refusals"].push_back({{"name", refusal.name},
                                {"message", refusal.message},
                                {"advice", refusal.advice},
                                {"can_be_allowed", refusal.can_be_allowed}});
  }
  json["use"] = drive::usability(refusals);
  if (device.partition > 0) {
    json["partition"] = device.partition, json["start"] = device.start.count, json["partuuid"] = device.partuuid;
  }
  if (device.loop) {
    json["loop"] = {{"file", device.loop->file},
                    {"direct", device.loop->direct},
                    {"deleted", device.loop->deleted},
                    {"shared_with", device.loop->shared_with}};
  }
  if (device.health) {
    auto& health = json["health"] = {{"note", device.health->note}};
    if (device.health->celsius) health["celsius"] = *device.health->celsius;
    if (device.health->passed) health["passed"] = *device.health->passed;
    if (device.health->rotation_rate) health["rotation_rate"] = *device.health->rotation_rate;
  }
  return json;
}

std::string json_text(const BlockDevices& devices) {
  nlohmann::json json = {{"stable_links", devices.stable_links}, {"all_seen", devices.all_seen}};
  json["drives"] = nlohmann::json::array();
  for (const auto& device : devices.all) {
    if (device.partition > 0) continue;
    auto row = to_json(device, devices);
    row["partitions"] = nlohmann::json::array();
    for (const auto* part : devices.partitions(device)) row["partitions"].push_back(to_json(*part, devices));
    json["drives"].push_back(std::move(row));
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

ExitCode list(Session& session, bool as_json) {
  const auto devices = drive::read_block_devices(session.commands(), {std::nullopt, true, "/dev/disk"});
  if (as_json) {
    fmt::print("{}\n", json_text(devices));
    return ExitCode::ok;
  }
  if (!devices.stable_links) {
    fmt::print(stderr, "/dev/disk/by-id is missing (no udev here): only loop devices can be named in experiments\n");
  }
  if (!devices.all_seen) {
    fmt::print(stderr, "not every process could be looked at: run as root to see all that is in use\n");
  }
  if (!session.commands().find("smartctl")) {
    fmt::print(stderr, "smartctl (smartmontools) is not installed: temperature and health are not known\n");
  }
  fmt::print("{:<10} {:>9}  {:>9}  {:<9} {:<20} {:<9} {:<12} {:>8}  {:<8} {}\n", "drive", "size", "sectors", "kind",
             "model", "firmware", "scheduler", "ahead", "health", "use");
  for (const auto& device : devices.all) {
    if (device.partition == 0) print_drive(device, devices);
  }
  return ExitCode::ok;
}

}  // namespace

std::string content_of(const BlockDevice& device, const BlockDevices& devices) {
  auto text = content_of_one(device);
  for (const auto* part : devices.partitions(device)) {
    const auto content = content_of_one(*part);
    text += fmt::format("{}{} ({}){}", text.empty() ? "" : "; ", part->name, rounded(part->size),
                        content.empty() ? "" : " " + content);
  }
  return text;
}

Verb add_drive_list(CLI::App& drive) {
  const auto as_json = std::make_shared<bool>(false);
  auto* verb = drive.add_subcommand("list", "List the block devices of this host, and whether swaprig may use them");
  verb->add_flag("--json", *as_json, "For programs: everything that is known, partitions too");
  return {verb, [as_json](Session& session) { return list(session, *as_json); }};
}

}  // namespace swaprig::cli
