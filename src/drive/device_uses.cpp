#include "drive/device_uses.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include "base/files.hpp"
#include "base/handle.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

using Folder = std::unique_ptr<DIR, FreeWith<&::closedir>>;

/// "\040" -> " ", as /proc writes blanks in paths.
std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text.substr(i + 1, 3);
    if (text[i] == '\\' && digits.size() == 3 && digits.find_first_not_of("01234567") == std::string::npos) {
      result += static_cast<char>(std::stoi(digits, nullptr, 8));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::vector<int> process_ids() {
  std::vector<int> ids;
  const Folder proc(::opendir("/proc"));
  while (const auto* entry = proc ? ::readdir(proc.get()) : nullptr) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') ids.push_back(std::atoi(entry->d_name));
  }
  return ids;
}

std::string link_at(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const auto length = ::readlink(path.c_str(), target.data(), target.size());
  return length < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

std::optional<DeviceNumber> block_number(const std::string& path) {
  const auto named = look_up(path);
  return named.block_device ? std::optional(named.number) : std::nullopt;
}

class Reading {
 public:
  explicit Reading(const std::set<FileNumber>& files) : m_files(files) {}

  UsesSeen read() {
    read_swaps();
    read_btrfs();
    read_mounts(::getpid());  // first, so that what we see ourselves is told so
    for (const int pid : process_ids()) {
      if (pid != ::getpid()) read_descriptors(pid);
      read_mounts(pid);
    }
    return std::move(m_seen);
  }

 private:
  void add(DeviceNumber number, DeviceUse use) {
    auto& uses = m_seen.devices[number];
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) uses.push_back(std::move(use));
  }

  void read_swaps() {
    for (const auto& path : parse_swaps(try_read_file("/proc/swaps").value_or(""))) {
      if (const auto number = block_number(path)) add(*number, {DeviceUse::Kind::swap, "as " + path, 0});
    }
  }

  /// A mount of btrfs names one of its devices only.
  void read_btrfs() {
    std::error_code error;
    for (const auto& volume : std::filesystem::directory_iterator("/sys/fs/btrfs", error)) {
      for (const auto& device : std::filesystem::directory_iterator(volume.path() / "devices", error)) {
        const auto number = block_number("/dev/" + device.path().filename().string());
        if (number) {
          add(*number, {DeviceUse::Kind::holder, "the mounted btrfs " + volume.path().filename().string(), 0});
        }
      }
    }
  }

  /// Each mount namespace once, by one of its processes.
  void read_mounts(int pid) {
    const auto name = link_at(fmt::format("/proc/{}/ns/mnt", pid));
    if (name.empty()) m_seen.all_seen = m_seen.all_seen && errno == ENOENT;
    if (name.empty() || !m_namespaces.insert(name).second) return;
    const bool ours = pid == ::getpid();
    const auto text = try_read_file(fmt::format("/proc/{}/mountinfo", pid));
    for (const auto& mount : parse_mountinfo(text.value_or(""))) {
      auto number = std::optional(mount.number);
      if (mount.number.major == 0) number = mount.source.starts_with('/') ? block_number(mount.source) : std::nullopt;
      if (!number) continue;
      const auto where = ours ? "" : fmt::format(" in the mount namespace of process {}", pid);
      if (m_mounts.insert({*number, mount.target}).second) {
        add(*number, {DeviceUse::Kind::mount, "on " + mount.target + where, 0});
      }
      if (mount.target == "/") m_seen.roots.insert(*number);
    }
  }

  void read_descriptors(int pid) {
    const Folder folder(::opendir(fmt::format("/proc/{}/fd", pid).c_str()));
    if (!folder) {
      m_seen.all_seen = m_seen.all_seen && errno == ENOENT;
      return;
    }
    while (const auto* entry = ::readdir(folder.get())) {
      if (entry->d_name[0] == '.') continue;
      struct statx info {};
      // Never asks a server: a descriptor on a file system whose server is gone would stop us here.
      if (::statx(::dirfd(folder.get()), entry->d_name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &info) != 0)
        continue;
      if (S_ISBLK(info.stx_mode)) {
        add({info.stx_rdev_major, info.stx_rdev_minor}, user(pid));
      } else if (S_ISREG(info.stx_mode)) {
        const FileNumber file{gnu_dev_makedev(info.stx_dev_major, info.stx_dev_minor), info.stx_ino};
        if (m_files.contains(file)) m_seen.files[file].push_back(user(pid));
      }
    }
  }

  static DeviceUse user(int pid) {
    const auto command = try_read_file(fmt::format("/proc/{}/cmdline", pid)).value_or("");
    if (const auto domain = domain_of(command); !domain.empty()) {
      return {DeviceUse::Kind::domain, fmt::format("the domain {} (process {})", printable_line(domain, 80), pid), pid};
    }
    const auto name = try_read_file(fmt::format("/proc/{}/comm", pid)).value_or("");
    return {DeviceUse::Kind::process, fmt::format("process {} ({})", pid, printable_line(trim(name))), pid};
  }

  const std::set<FileNumber>& m_files;
  UsesSeen m_seen;
  std::set<std::string> m_namespaces;
  std::set<std::pair<DeviceNumber, std::string>> m_mounts;  ///< a mount is seen in many namespaces
};

}  // namespace

std::vector<MountLine> parse_mountinfo(const std::string& text) {
  std::vector<MountLine> mounts;
  for (const auto& line : split(text, '\n')) {
    const auto words = split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 3) continue;
    MountLine mount;
    if (std::sscanf(words[2].c_str(), "%u:%u", &mount.number.major, &mount.number.minor) != 2) continue;
    mount.source = unescaped(*(dash + 2));
    mount.target = unescaped(words[4]);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::vector<std::string> parse_swaps(const std::string& text) {
  std::vector<std::string> paths;
  for (const auto& line : split(text, '\n')) {
    if (line.starts_with('/')) paths.push_back(unescaped(line.substr(0, line.find_first_of(" \t"))));
  }
  return paths;
}

std::string domain_of(const std::string& command_line) {
  const auto words = split(command_line, '\0');
  if (words.empty() || words[0].find("qemu") == std::string::npos) return {};
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "-name") continue;
    constexpr std::string_view k_key = "guest=";
    const auto name = words[i + 1].substr(0, words[i + 1].find(','));
    return name.starts_with(k_key) ? name.substr(k_key.size()) : name;
  }
  return {};
}

UsesSeen read_uses(const std::set<FileNumber>& files) { return Reading(files).read(); }

}  // namespace swaprig::drive
