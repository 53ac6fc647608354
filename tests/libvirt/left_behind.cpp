// Starts a guest with libvirt's embedded driver, says QEMU's pid and waits to be killed: what a killed swaprig leaves.

#include <unistd.h>

#include <fstream>
#include <iostream>

#include "host/libvirt_host.hpp"
#include "support/tiny_kernel.hpp"

int main(int, char** arguments) {
  using namespace swaprig;
  const std::filesystem::path folder = arguments[1];
  try {
    const auto machines = host::open_libvirt("", {folder / "state", folder / "cache"});
    host::DomainSpec spec;
    spec.name = host::domain_name("left behind");
    spec.memory = mib(64);
    spec.kernel = folder / "kernel";
    spec.console = folder / "console";
    spec.probe_socket = machines->socket_folder() / "probe";
    std::ofstream(spec.kernel, std::ios::binary) << testing::tiny_kernel("here\n", testing::TinyEnd::halt);
    const auto machine = machines->start(spec);
    std::cout << machine->pid() << std::endl;
    for (;;) ::pause();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
