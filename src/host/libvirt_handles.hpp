#pragma once

// libvirt's handles, owned; included by host/*.cpp alone.

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include <memory>
#include <string>

#include "base/handle.hpp"
#include "host/machine.hpp"

namespace swaprig::host {

using ConnectionHandle = std::unique_ptr<virConnect, FreeWith<&virConnectClose>>;
using DomainHandle = std::unique_ptr<virDomain, FreeWith<&virDomainFree>>;

/// libvirt's last error on this thread as an exception; call it before any other libvirt function.
[[noreturn]] void throw_libvirt_error(const std::string& doing);

/// Turns null into a LibvirtError.
template <typename T>
T* check(T* handle, const std::string& doing) {
  if (handle == nullptr) throw_libvirt_error(doing);
  return handle;
}

/// libvirt's way of writing versions: 7002022 is "7.2.22".
std::string version_text(unsigned long version);

/// Turns -1 into a LibvirtError.
int check(int result, const std::string& doing);

}  // namespace swaprig::host
