#pragma once

#include <string>
#include <vector>

#include "drive/block_device.hpp"
#include "spec/experiment.hpp"

namespace swaprig::drive {

/// Why a device may not be written to.
struct Refusal {
  std::string name;     ///< fixed, kebab-case; what --allow takes
  std::string message;  ///< what was found
  std::string advice;   ///< what to do
  bool can_be_allowed = false;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// Everything against using the device, whatever an experiment wants of it; `device` is one of `devices`. Pure.
std::vector<Refusal> device_refusals(const BlockDevice& device, const BlockDevices& devices, unsigned our_user);

/// The same without what claiming it mends: for `drive claim`. Pure.
std::vector<Refusal> claim_refusals(const BlockDevice& device, const BlockDevices& devices, unsigned our_user);

/// Everything against using what the path names for what the file wants. Pure.
std::vector<Refusal> backing_refusals(const spec::DeviceBacking& wanted, const NamedDevice& named,
                                      const BlockDevices& devices, unsigned our_user);

/// What of a device must not change while we hold it.
struct HeldIdentity {
  DeviceNumber number;
  std::string serial;
  std::string wwn;
  std::string partuuid;
  Bytes start;
  Bytes size;
  std::uint64_t sequence = 0;

  friend bool operator==(const HeldIdentity&, const HeldIdentity&) = default;
};
HeldIdentity identity_of(const BlockDevice& device);

/// Where the device at a path is not any more the one that was taken. Pure.
std::vector<Refusal> changes(const HeldIdentity& held, const std::string& path, const NamedDevice& named,
                             const BlockDevices& devices);

/// Another process holds the drive, in words of its own or of the kernel. Pure.
Refusal locked_elsewhere(const std::string& holder);
Refusal held_exclusively();
/// The kernel does not let us open it; `error` is its word.
Refusal not_held(const std::string& path, const std::string& error);

/// What stands against a device together with what stood against holding it: the kernel's word that somebody holds it
/// adds nothing where it is seen who. Pure.
std::vector<Refusal> with_hold(std::vector<Refusal> refusals, const std::vector<Refusal>& of_hold);

/// Those that are not among the allowed names; a name that cannot be allowed changes nothing. Pure.
std::vector<Refusal> standing(std::vector<Refusal> refusals, const std::vector<std::string>& allowed);

/// Every name that --allow takes, sorted.
std::vector<std::string> names_that_can_be_allowed();

/// One line each, with advice and, where there is one, the override; for the end of an error message. Pure.
std::string to_text(const std::vector<Refusal>& refusals);

/// What `drive list` says in one word: "yes", "claim" (once it is claimed) or "no". Pure.
std::string usability(const std::vector<Refusal>& refusals);

}  // namespace swaprig::drive
