#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "host/machine.hpp"

namespace swaprig::host {

/// Opens the embedded driver (uri empty: qemu:///embed on a short root of its own, registered in the state folder),
/// or a local URI, and runs libvirt's event loop on a thread of its own. libvirt opens the embedded driver once in a
/// process, so keep it; it has to outlive its machines. Orphans of our descendants become our children (OrphanReaper).
/// A remote URI is a UsageError; QEMU or libvirt's driver missing, a HostError that names the package.
std::unique_ptr<MachineHost> open_libvirt(const std::string& uri, const Folders& folders);

/// Finds embedded roots registered by swaprig processes that are gone, kills their guests (only ours: by name, by the
/// root in QEMU's arguments, and younger than the owner), removes the roots. Returns one line for each thing it did.
/// Never touches what a living swaprig owns.
std::vector<std::string> clean_leftovers(const Folders& folders);

}  // namespace swaprig::host
