#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"

namespace swaprig::host {

/// "/etc/qemu.conf" of an embedded root. Pure.
std::string embedded_configuration(bool as_root);

std::string embedded_uri(const std::filesystem::path& root);

/// Writes the configuration, and keeps libvirt's capabilities cache in our cache folder: probing QEMU takes seconds.
void prepare_embedded_root(const std::filesystem::path& root, const Folders& folders);

/// Where libvirt looks for libvirt_driver_qemu.so.
std::filesystem::path qemu_driver_module();

inline constexpr const char* k_qemu_program = "qemu-system-x86_64";
inline constexpr const char* k_qemu_package = "qemu-system-x86";
inline constexpr const char* k_driver_package = "libvirt-daemon-driver-qemu";

/// Throws HostError that names the Debian package when QEMU or libvirt's driver module is missing.
void require_embedded_driver();

}  // namespace swaprig::host
