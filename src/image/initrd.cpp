#include "image/initrd.hpp"

#include "image/cpio.hpp"
#include "image/image_store.hpp"

namespace swaprig::image {

std::string module_initrd(const std::vector<ModuleFile>& modules) {
  CpioWriter cpio;
  cpio.folder("modules");
  std::string list;
  for (const auto& module : modules) {
    const auto name = "modules/" + module.name + ".ko";
    cpio.file(name, 0644, module.content);
    list += '/' + name + '\n';
  }
  cpio.file("modules.list", 0644, list);
  return cpio.finish();
}

std::string initrd_with_probe(const std::string& image_initrd, const std::string& probe) {
  CpioWriter cpio;
  for (const char* folder : {"dev", "proc", "sys", "newroot"}) cpio.folder(folder);
  // The kernel opens it as init's stdin, stdout and stderr before anything is mounted.
  cpio.character_device("dev/console", 0600, 5, 1);
  cpio.file("init", 0755, probe);

  auto initrd = image_initrd;
  // The kernel skips zeros between archives, but each has to begin at a multiple of four.
  initrd.append((4 - initrd.size() % 4) % 4, '\0');
  return initrd + cpio.finish();
}

}  // namespace swaprig::image
