#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/command.hpp"

namespace swaprig::image {

/// Kernel packages, unpacked: boot/vmlinuz-RELEASE and lib/modules/RELEASE with depmod's tables.
struct UnpackedKernel {
  std::filesystem::path root;
  std::string release;

  std::filesystem::path bzimage() const { return root / "boot" / ("vmlinuz-" + release); }
  std::filesystem::path modules() const { return root / "lib" / "modules" / release; }
};

/// Unpacks all *.deb of a folder into `root`, which must not exist yet, and runs depmod there.
/// Throws HostError unless there is exactly one kernel with its modules.
UnpackedKernel unpack_kernel(const std::filesystem::path& packages, const std::filesystem::path& root,
                             CommandRunner& commands);

/// The content of the initrd's modules; modules that the distribution compresses come out uncompressed.
std::string boot_initrd(const UnpackedKernel& kernel, CommandRunner& commands);

/// Copies the modules that the image keeps to tree/usr/lib/modules/RELEASE and runs depmod for them.
/// Throws UsageError for a module of `wanted` (the definition's) that the kernel does not have.
void copy_root_modules(const UnpackedKernel& kernel, const std::vector<std::string>& wanted,
                       const std::filesystem::path& tree, CommandRunner& commands);

}  // namespace swaprig::image
