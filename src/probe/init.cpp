#include "probe/init.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/wire.hpp"
#include "probe/console.hpp"
#include "probe/devices.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

std::vector<std::string> option_attempts(std::string_view options) {
  std::vector<std::string> single;
  for (auto rest = options; !rest.empty();) {
    const auto end = std::min(rest.find(','), rest.size());
    single.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<std::string> attempts{std::string(options)};
  for (std::size_t dropped = 0; single.size() > 1 && dropped < single.size(); ++dropped) {
    std::string kept;
    for (std::size_t i = 0; i < single.size(); ++i) {
      if (i != dropped) kept += (kept.empty() ? "" : ",") + single[i];
    }
    attempts.push_back(kept);
  }
  if (!options.empty()) attempts.emplace_back();
  return attempts;
}

namespace {

constexpr const char* k_new_root = "/newroot";
constexpr int k_drive_wait_ms = 20'000;

void mount_or_fail(const char* what, const std::string& where, const char* type, unsigned long flags,
                   const char* options = nullptr) {
  mkdir(where.c_str(), 0755);
  if (mount(what, where.c_str(), type, flags, options) != 0 && errno != EBUSY) {
    fail(std::string("cannot mount ") + type + " on " + where);
  }
}

void mount_kernel_folders() {
  mount_or_fail("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");
  mount_or_fail("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC);
  mount_or_fail("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC);
}

/// virtio_scsi's scan asks 256 targets a host, 0.3 s of a boot without KVM; swaprig puts one drive on a host, at target
/// 0, unit 0. So the kernel looks for none by itself, and `find_scsi_drives` asks for that one.
const char* parameters_of(std::string_view module) {
  return module.find("/scsi_mod.ko") != std::string_view::npos ? "scan=manual" : "";
}

void find_scsi_drives() {
  constexpr const char* k_hosts = "/sys/class/scsi_host";
  DIR* const stream = opendir(k_hosts);
  if (stream == nullptr) return;
  while (const dirent* const entry = readdir(stream)) {
    const std::string host = std::string(k_hosts) + "/" + entry->d_name;
    if (trimmed(read_text(host + "/proc_name").value_or("")) != "virtio_scsi") continue;
    const Descriptor scan(open((host + "/scan").c_str(), O_WRONLY | O_CLOEXEC));
    if (!scan || !write_all(scan.get(), "0 0 0")) fail("cannot look for the drive of " + host);
  }
  closedir(stream);
}

/// Reads /modules.list of the initrd: paths in the order to load. A module that does not load is named, no more:
/// what it is needed for fails later with words of its own.
void load_modules(const Console& console) {
  constexpr int k_compressed = 4;  // MODULE_INIT_COMPRESSED_FILE, from Linux 5.17 on
  const std::string list = read_text("/modules.list").value_or("");
  for (std::string_view rest = list; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    std::string path(trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (path.empty()) continue;
    if (path.front() != '/') path.insert(path.begin(), '/');
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const int flags = path.ends_with(".ko") ? 0 : k_compressed;
    if (file && (syscall(SYS_finit_module, file.get(), parameters_of(path), flags) == 0 || errno == EEXIST)) continue;
    const bool symbol_missing = file && errno == ENOENT;
    console.say(symbol_missing ? "module " + path + ": needs a module that is not loaded before it"
                               : with_reason("module " + path, errno));
  }
}

RootArgument wanted_root() {
  const auto argument = kernel_argument(read_text("/proc/cmdline").value_or(""), wire::k_root_argument);
  if (!argument) throw Failure(std::string("no kernel argument ") + wire::k_root_argument + "=SERIAL:PARTITION");
  const auto root = parse_root_argument(*argument);
  if (!root) {
    throw Failure(std::string("kernel argument ") + wire::k_root_argument + "=" + *argument +
                  " is not SERIAL:PARTITION");
  }
  return *root;
}

void mount_root(const Console& console, const std::string& partition) {
  const std::string device = "/dev/" + partition;
  mkdir(k_new_root, 0755);
  const auto attempts = option_attempts(k_root_options);
  for (const auto& options : attempts) {
    if (mount(device.c_str(), k_new_root, "ext4", MS_NOATIME, options.c_str()) == 0) {
      if (options != attempts.front()) {
        console.say("root mounted with options \"" + options + "\" instead of \"" + attempts.front() + "\"");
      }
      return;
    }
    if (errno != EINVAL) break;
  }
  fail("cannot mount " + device + " as ext4");
}

void copy_probe(const std::string& from, const std::string& to) {
  const auto program = read_text(from, std::size_t{64} << 20U);
  const Descriptor file(open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755));
  if (!program || !file || !write_all(file.get(), *program)) fail("cannot copy " + from + " to " + to);
  fchmod(file.get(), 0755);
}

/// Removes what the initrd holds, so that its memory is free again; never leaves its file system.
void remove_contents(int folder, dev_t file_system) {
  DIR* const stream = fdopendir(folder);
  if (stream == nullptr) return;
  while (const dirent* const entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    struct stat status {};
    if (name == "." || name == "..") continue;
    if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_dev != file_system) continue;
    if (S_ISDIR(status.st_mode)) {
      const int below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (below >= 0) remove_contents(below, file_system);
    }
    unlinkat(folder, entry->d_name, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
  }
  closedir(stream);
}

void switch_root() {
  struct stat root {};
  const int old_root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (old_root < 0 || fstat(old_root, &root) != 0) fail("cannot open the initrd's root");
  for (const std::string folder : {"/dev", "/proc", "/sys"}) {
    const std::string target = k_new_root + folder;
    mkdir(target.c_str(), 0755);
    if (mount(folder.c_str(), target.c_str(), nullptr, MS_MOVE, nullptr) != 0) fail("cannot move " + folder);
  }
  if (chdir(k_new_root) != 0) fail("cannot enter the new root");
  remove_contents(old_root, root.st_dev);
  if (mount(".", "/", nullptr, MS_MOVE, nullptr) != 0 || chroot(".") != 0 || chdir("/") != 0) {
    fail("cannot switch to the new root");
  }
}

void start_from_initrd(const Console& console) {
  const auto root = wanted_root();
  load_modules(console);
  find_scsi_drives();
  mount_root(console, wait_for_partition(root, k_drive_wait_ms));
  const std::string run = std::string(k_new_root) + "/run";
  mount_or_fail("tmpfs", run, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=16M");
  mkdir((run + "/swaprig").c_str(), 0755);
  copy_probe("/proc/self/exe", std::string(k_new_root) + wire::k_probe_path);
  switch_root();
  execl(wire::k_probe_path, wire::k_probe_path, "init2", static_cast<char*>(nullptr));
  fail(std::string("cannot run ") + wire::k_probe_path);
}

}  // namespace

void init_in_initrd() {
  try {
    mount_kernel_folders();
    const Console console;
    console.say("init started");
    start_from_initrd(console);
    std::abort();  // not reached: it runs init2 or throws
  } catch (const std::exception& error) {
    give_up(Console(), error.what());
  }
}

}  // namespace swaprig::probe
