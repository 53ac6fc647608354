#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/command.hpp"
#include "base/files.hpp"
#include "host/machine.hpp"

namespace swaprig::host {

/// Opens the embedded driver (uri empty: qemu:///embed on a short root of its own, registered in the state folder),
/// or a local URI. libvirt opens the embedded driver once in a process: keep it. The host has to outlive its machines.
/// Remote URIs get a UsageError; QEMU or libvirt's driver missing, a HostError that names the package. Runs libvirt's
/// event loop on a thread of its own.
std::unique_ptr<MachineHost> open_libvirt(const std::string& uri, const Folders& folders);

/// Finds embedded roots registered by swaprig processes that are gone, destroys their guests (only ours: by the name's
/// prefix and our own metadata), removes the roots. Returns one line for each thing it did. Never touches what a
/// living swaprig owns.
std::vector<std::string> clean_leftovers(const Folders& folders);

}  // namespace swaprig::host
