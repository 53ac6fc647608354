#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::image {

/// What depmod(8) found out about the modules of one kernel.
class ModuleTable {
 public:
  /// The texts of modules.dep and modules.builtin.
  ModuleTable(std::string_view dependencies, std::string_view builtin);

  /// Also true for one that is built into the kernel.
  bool knows(std::string_view name) const;

  /// Paths below the modules' folder ("kernel/fs/ext4/ext4.ko") of the modules and all that they need, each once,
  /// in an order in which they can be loaded. Names may be written with - or _; unknown ones are passed over.
  std::vector<std::string> load_order(const std::vector<std::string>& names) const;

  /// All names, sorted, for "did you mean".
  std::vector<std::string> names() const;

 private:
  struct Module {
    std::string path;
    std::vector<std::string> needs;  ///< names, in the order of loading
  };
  std::map<std::string, Module, std::less<>> m_modules;
};

/// "kernel/drivers/virtio/virtio-rng.ko.xz" -> "virtio_rng"
std::string module_name(std::string_view path);

/// Loaded by our init before the root file system is mounted, as far as the kernel has them as modules.
/// No SATA: swaprig's drives are virtio or SCSI, and looking at the six empty ports of a q35 costs half a second.
const std::vector<std::string>& boot_modules();

/// Kept in the root file system for swap placements and file systems under test.
const std::vector<std::string>& root_modules();

}  // namespace swaprig::image
