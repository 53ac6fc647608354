#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "host/machine.hpp"
#include "spec/experiment.hpp"

namespace swaprig::host {

struct Acceleration {
  Virtualisation use = Virtualisation::tcg;
  std::string why;  ///< "KVM: a guest booted in 1.2 s", "no /dev/kvm", "KVM: silent for 20 s"
};

/// What `accel` comes to on this host. `auto` boots the image's own kernel under KVM once, to its init, with a bound,
/// and remembers the answer for this host, kernel and QEMU in the state folder. `kvm` that cannot run is a HostError.
Acceleration choose_acceleration(spec::Accel wish, const DomainSpec& trial, MachineHost& machines, Clock& clock,
                                 const Folders& folders);

/// The remembered answer for `doctor`, without booting anything; nothing: "not proven yet".
std::optional<Acceleration> remembered_acceleration(const Folders& folders);

}  // namespace swaprig::host
