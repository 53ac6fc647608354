#pragma once

#include <string>
#include <vector>

namespace swaprig::image {

struct ModuleFile {
  std::string name;     ///< "virtio_blk", without folder and ending
  std::string content;  ///< the uncompressed ELF object
};

/// The image's own part of the initrd: /modules/NAME.ko in the order given, and /modules.list with one path a line
/// in that order, in which init loads them. The probe's part is put behind it by `initrd_with_probe`.
std::string module_initrd(const std::vector<ModuleFile>& modules);

}  // namespace swaprig::image
