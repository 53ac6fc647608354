#include "image/kernel_modules.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace swaprig::image {

std::string module_name(std::string_view path) {
  auto name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.find(".ko"));
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

ModuleTable::ModuleTable(std::string_view dependencies, std::string_view builtin) {
  for (const auto& line : split(builtin, '\n')) {
    if (const auto path = trim(line); !path.empty()) m_modules.emplace(module_name(path), Module{});
  }
  for (const auto& line : split(dependencies, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    Module module{line.substr(0, colon), {}};
    for (const auto& path : split_words(std::string_view(line).substr(colon + 1))) {
      module.needs.push_back(module_name(path));
    }
    // modules.dep lists what has to be loaded first last.
    std::reverse(module.needs.begin(), module.needs.end());
    m_modules.insert_or_assign(module_name(module.path), std::move(module));
  }
}

bool ModuleTable::knows(std::string_view name) const { return m_modules.contains(module_name(name)); }

std::vector<std::string> ModuleTable::load_order(const std::vector<std::string>& names) const {
  std::vector<std::string> order;
  std::set<std::string> seen;
  const auto add = [&](const auto& self, const std::string& name) -> void {
    const auto found = m_modules.find(name);
    if (found == m_modules.end() || !seen.insert(name).second) return;
    for (const auto& needed : found->second.needs) self(self, needed);
    if (!found->second.path.empty()) order.push_back(found->second.path);
  };
  for (const auto& name : names) add(add, module_name(name));
  return order;
}

std::vector<std::string> ModuleTable::names() const {
  std::vector<std::string> result;
  for (const auto& [name, module] : m_modules) result.push_back(name);
  return result;
}

const std::vector<std::string>& boot_modules() {
  static const std::vector<std::string> modules{"virtio",
                                                "virtio_ring",
                                                "virtio_pci_legacy_dev",
                                                "virtio_pci_modern_dev",
                                                "virtio_pci",
                                                "virtio_blk",
                                                "virtio_scsi",
                                                "virtio_console",
                                                "scsi_common",
                                                "scsi_mod",
                                                "sd_mod",

                                                "crc16",
                                                "crc32c_generic",
                                                "crc32c_intel",
                                                "libcrc32c",
                                                "mbcache",
                                                "jbd2",
                                                "ext4",
                                                "pvpanic",
                                                "pvpanic_mmio",
                                                "pvpanic_pci"};
  return modules;
}

const std::vector<std::string>& root_modules() {
  static const std::vector<std::string> modules{
      // file systems
      "btrfs", "xfs", "f2fs", "ext4", "overlay", "tmpfs",
      // swap in compressed memory
      "zram", "zsmalloc", "zbud", "z3fold", "lz4", "lz4hc", "lzo", "lzo_rle", "zstd", "842", "deflate",
      // block devices
      "brd", "loop", "null_blk", "dm_mod", "dm_crypt", "dm_delay", "dm_flakey", "dm_linear", "nbd", "virtio_blk",
      "virtio_scsi", "sd_mod", "nvme", "ahci", "ata_piix", "scsi_debug", "bfq", "kyber_iosched", "mq_deadline",
      // what dm_crypt and the checksums of file systems use
      "xts", "cbc", "ecb", "essiv", "aes_generic", "aesni_intel", "sha256_generic", "crc32c_generic", "crc32c_intel",
      "blake2b_generic", "xxhash_generic", "algif_skcipher", "af_alg",
      // the machine
      "pvpanic", "pvpanic_mmio", "pvpanic_pci", "virtio_balloon", "virtio_rng", "virtio_console", "i6300esb"};
  return modules;
}

}  // namespace swaprig::image
