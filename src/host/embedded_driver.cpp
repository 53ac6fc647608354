#include "host/embedded_driver.hpp"

#include <dlfcn.h>
#include <libvirt/libvirt.h>
#include <unistd.h>

#include <cstdlib>

#include "base/command.hpp"

namespace swaprig::host {

namespace fs = std::filesystem;

std::string embedded_configuration(bool as_root) {
  // stdio_handler: without it libvirt wants virtlogd, which cuts console files at 2 MiB.
  std::string text =
      "stdio_handler = \"file\"\n"
      "security_driver = \"none\"\n"
      "cgroup_controllers = []\n"
      "namespaces = []\n"
      "remember_owner = 0\n"
      "dynamic_ownership = 0\n";
  if (as_root) text += "user = \"root\"\ngroup = \"root\"\n";
  return text;
}

std::string embedded_uri(const fs::path& root) { return "qemu:///embed?root=" + root.string(); }

void prepare_embedded_root(const fs::path& root, const Folders& folders) {
  make_folders(root / "etc");
  write_file_durably(root / "etc" / "qemu.conf", embedded_configuration(::geteuid() == 0));
  const fs::path cache = folders.cache / "libvirt";
  make_folders(cache);
  fs::create_directory_symlink(cache, root / "cache");
}

fs::path qemu_driver_module() {
  constexpr const char* k_module = "libvirt_driver_qemu.so";
  if (const char* folder = std::getenv("LIBVIRT_DRIVER_DIR"); folder != nullptr) return fs::path(folder) / k_module;
  Dl_info library{};
  if (::dladdr(reinterpret_cast<const void*>(&virInitialize), &library) == 0) return {};
  return fs::path(library.dli_fname).parent_path() / "libvirt" / "connection-driver" / k_module;
}

void require_embedded_driver() {
  if (!SystemCommandRunner().find(k_qemu_program)) {
    throw HostError(std::string("QEMU is not installed: there is no ") + k_qemu_program +
                    " in PATH; try: apt-get install " + k_qemu_package);
  }
  std::error_code ignored;
  if (const auto module = qemu_driver_module(); !module.empty() && !fs::exists(module, ignored)) {
    throw HostError("libvirt's QEMU driver is not installed: there is no " + module.string() +
                    "; try: apt-get install " + k_driver_package);
  }
}

}  // namespace swaprig::host
