#pragma once

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "host/libvirt_host.hpp"
#include "support/catch.hpp"
#include "support/tiny_kernel.hpp"

namespace swaprig::testing {

/// A guest of 64 MiB under TCG whose kernel writes one line and halts or reboots.
inline host::DomainSpec tiny_guest(const std::filesystem::path& folder, const host::MachineHost& machines,
                                   TinyEnd end) {
  host::DomainSpec spec;
  spec.name = host::domain_name("tiny");
  spec.memory = mib(64);
  spec.kernel = folder / "tiny kernel, <1>";
  spec.kernel_arguments = "quiet";
  spec.console = folder / "console ü";
  spec.probe_socket = machines.socket_folder() / "probe";
  std::ofstream(spec.kernel, std::ios::binary) << tiny_kernel("swaprig: init ready\n", end);
  return spec;
}

/// Looks again every 20 ms, for at most a minute.
inline bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return condition();
}

}  // namespace swaprig::testing
