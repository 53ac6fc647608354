#include "image/kernel_build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/initrd.hpp"
#include "image/kernel_modules.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;

std::string find_release(const fs::path& boot) {
  std::vector<std::string> releases;
  constexpr std::string_view k_prefix = "vmlinuz-";
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(boot, missing)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(k_prefix)) releases.push_back(name.substr(k_prefix.size()));
  }
  if (releases.size() == 1) return releases.front();
  std::sort(releases.begin(), releases.end());
  throw HostError(
      fmt::format("cannot take the kernel from its packages: exactly one boot/vmlinuz-* is expected, "
                  "found {}; name another kernel package in the definition",
                  releases.empty() ? "none" : join(releases, ", ")));
}

/// Newer packages have everything below usr/lib; depmod and we look below lib.
void link_lib(const fs::path& root) {
  if (!fs::exists(root / "lib") && fs::exists(root / "usr/lib")) fs::create_symlink("usr/lib", root / "lib");
}

void depmod(const fs::path& root, const std::string& release, CommandRunner& commands) {
  run_checked(commands, {.program = "depmod", .arguments = {"-b", root.string(), release}});
}

ModuleTable table_of(const UnpackedKernel& kernel) {
  return {read_file(kernel.modules() / "modules.dep"),
          try_read_file(kernel.modules() / "modules.builtin").value_or(std::string())};
}

std::string module_content(const fs::path& path, CommandRunner& commands) {
  const auto ending = path.extension().string();
  if (ending == ".ko") return read_file(path);
  const std::string program = ending == ".xz" ? "xz" : ending == ".zst" ? "zstd" : "gzip";
  return run_checked(commands, {.program = program, .arguments = {"-dcq", path.string()}});
}

}  // namespace

UnpackedKernel unpack_kernel(const fs::path& packages, const fs::path& root, CommandRunner& commands) {
  make_folders(root);
  for (const auto& entry : fs::directory_iterator(packages)) {
    if (entry.path().extension() != ".deb") continue;
    run_checked(commands, {.program = "dpkg-deb", .arguments = {"-x", entry.path().string(), root.string()}});
  }
  link_lib(root);
  UnpackedKernel kernel{root, find_release(root / "boot")};
  if (!fs::is_directory(kernel.modules())) {
    throw HostError(fmt::format("cannot take the kernel from its packages: {} has no modules", kernel.release));
  }
  depmod(root, kernel.release, commands);
  return kernel;
}

std::string boot_initrd(const UnpackedKernel& kernel, CommandRunner& commands) {
  std::vector<ModuleFile> modules;
  for (const auto& path : table_of(kernel).load_order(boot_modules())) {
    modules.push_back({module_name(path), module_content(kernel.modules() / path, commands)});
  }
  return module_initrd(modules);
}

void copy_root_modules(const UnpackedKernel& kernel, const std::vector<std::string>& wanted, const fs::path& tree,
                       CommandRunner& commands) {
  const auto table = table_of(kernel);
  for (const auto& name : wanted) {
    if (table.knows(name)) continue;
    const auto known = table.names();
    const auto close = nearest(name, known);
    throw UsageError(fmt::format("the kernel {} has no module '{}'{}", kernel.release, printable_line(name),
                                 close.empty() ? "" : "; did you mean '" + close + "'?"));
  }
  auto names = root_modules();
  names.insert(names.end(), wanted.begin(), wanted.end());

  const auto target = tree / "usr/lib/modules" / kernel.release;
  make_folders(target);
  for (const auto& path : table.load_order(names)) {
    make_folders((target / path).parent_path());
    fs::copy_file(kernel.modules() / path, target / path);
  }
  for (const char* name : {"modules.order", "modules.builtin", "modules.builtin.modinfo"}) {
    if (fs::exists(kernel.modules() / name)) fs::copy_file(kernel.modules() / name, target / name);
  }
  fs::create_symlink("usr/lib", tree / "lib");
  depmod(tree, kernel.release, commands);
  fs::remove(tree / "lib");
}

}  // namespace swaprig::image
