#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "base/text.hpp"
#include "cli/drive_verbs.hpp"
#include "drive/device_claim.hpp"
#include "drive/drive_label.hpp"
#include "drive/refusals.hpp"

namespace swaprig::cli {

namespace {

struct ClaimOptions {
  std::filesystem::path device;
  std::string serial;
  bool erase = false;
};

/// What the owner types; UsageError without a terminal.
std::string ask_for_serial(const drive::BlockDevice& device) {
  if (::isatty(STDIN_FILENO) == 0) {
    throw UsageError(
        fmt::format("nothing was written: {} is erased only with --serial SERIAL --erase, or when the "
                    "serial is typed on a terminal",
                    device.path));
  }
  fmt::print(stderr, "All of it will be lost. Type the {} to go on: ", device.partition > 0 ? "PARTUUID" : "serial");
  std::string typed;
  std::getline(std::cin, typed);
  return std::string(trim(typed));
}

ExitCode claim(Session& session, const ClaimOptions& options) {
  const auto named = drive::look_up(options.device);
  const auto devices = drive::read_block_devices(session.commands(), {named.number, false, "/dev/disk"});
  const auto& device = drive::device_at(options.device, devices);
  const auto content = content_of(device, devices);
  fmt::print(stderr, "{} ({}): {}, {}{}, serial {}\n    on it: {}\n", options.device.string(), device.name,
             exact(device.size), device.vendor.empty() ? "" : device.vendor + " ",
             device.model.empty() ? "no model" : device.model, device.serial.empty() ? "(none)" : device.serial,
             content.empty() ? "nothing that is known" : content);
  if (device.partition > 0)
    fmt::print(stderr, "    PARTUUID {}\n", device.partuuid.empty() ? "(none)" : device.partuuid);
  if (const auto refusals = drive::claim_refusals(device, devices, ::geteuid()); !refusals.empty()) {
    throw HostError(
        fmt::format("cannot claim {}; nothing was written:{}", options.device.string(), drive::to_text(refusals)));
  }
  if (options.erase && options.serial.empty()) {
    throw UsageError("nothing was written: --erase wants the serial of the drive with --serial SERIAL");
  }
  const auto typed = options.erase ? options.serial : ask_for_serial(device);
  drive::claim_device(options.device, typed, drive_lock_folder(session), session.commands());
  fmt::print("claimed {}\n", options.device.string());
  return ExitCode::ok;
}

ExitCode release(Session& session, const std::filesystem::path& device) {
  drive::release_device(device, drive_lock_folder(session), session.commands());
  fmt::print("released {}\n", device.string());
  return ExitCode::ok;
}

}  // namespace

std::filesystem::path drive_lock_folder(const Session& session) { return session.folders().state / "drives"; }

Verb add_drive_claim(CLI::App& drive) {
  const auto options = std::make_shared<ClaimOptions>();
  auto* verb = drive.add_subcommand("claim", "Erase a drive or partition and let swaprig use it from now on");
  verb->add_option("DEVICE", options->device, "/dev/disk/by-id/..., /dev/disk/by-partuuid/... or a loop device")
      ->required();
  verb->add_option("--serial", options->serial,
                   "The drive's serial (of a partition its PARTUUID), as drive list shows it");
  verb->add_flag("--erase", options->erase, "Do not ask: erase it when the serial is the right one");
  return {verb, [options](Session& session) { return claim(session, *options); }};
}

Verb add_drive_release(CLI::App& drive) {
  const auto device = std::make_shared<std::filesystem::path>();
  auto* verb = drive.add_subcommand("release", "Take swaprig's label off a drive: it may not use it any more");
  verb->add_option("DEVICE", *device, "As for claim")->required();
  return {verb, [device](Session& session) { return release(session, *device); }};
}

}  // namespace swaprig::cli
