#pragma once

#include <string>

namespace swaprig::host {

/// "qemu" of "qemu+unix:///system".
std::string driver_of(const std::string& uri);

/// Throws UsageError unless the URI names libvirt's QEMU (or test) driver on this host: evidence is local.
void require_local_uri(const std::string& uri);

}  // namespace swaprig::host
