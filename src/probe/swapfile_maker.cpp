#include "probe/swapfile_maker.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/wire.hpp"

namespace swaprig::probe {

namespace {

constexpr const char* k_btrfs = "btrfs";
constexpr const char* k_not_supported = "Operation not supported";
constexpr const char* k_no_space = "No space left on device";

std::string file_system_of(const std::string& folder) {
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0) fail("cannot look at the file system of " + folder);
  switch (static_cast<unsigned long>(status.f_type)) {
    case EXT4_SUPER_MAGIC: return "ext4";
    case XFS_SUPER_MAGIC: return "xfs";
    case BTRFS_SUPER_MAGIC: return k_btrfs;
    default: break;
  }
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "0x%lx", static_cast<unsigned long>(status.f_type));
  return number.data();
}

/// New files of the folder inherit it, so that the tools make their file as on any other file system. Empty, or why not.
std::string switch_copy_on_write_off(const std::string& folder) {
  const Descriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int flags = 0;
  if (!file || ioctl(file.get(), FS_IOC_GETFLAGS, &flags) != 0) return with_reason("NOCOW of " + folder, errno);
  flags |= FS_NOCOW_FL;
  return ioctl(file.get(), FS_IOC_SETFLAGS, &flags) == 0 ? "" : with_reason("NOCOW of " + folder, errno);
}

bool is_copied_on_write(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  int flags = 0;
  return !file || ioctl(file.get(), FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_NOCOW_FL) == 0;
}

bool contains(const std::string& words, const char* part) { return words.find(part) != std::string::npos; }

/// swapon(8) looks for holes itself; the kernel says to everything else that it cannot use that it is invalid.
bool says_unusable(const std::string& words) { return contains(words, "holes") || contains(words, "Invalid argument"); }

std::string said(const std::vector<std::string>& command, const ToolEnd& end) {
  std::string text;
  for (const auto& word : command) text += (text.empty() ? "" : " ") + word;
  return text + " ended with " + std::to_string(end.status) + ": " + end.words;
}

/// Throws unless the tool did what it was asked.
void must(const std::vector<std::string>& command) {
  if (const auto end = run_tool(command); end.status != 0) throw Failure(said(command, end));
}

}  // namespace

SwapfileCell parse_cell(std::string_view text) {
  const auto wrong = [&] { return Failure("--cell=" + std::string(text) + " is not METHOD:SIZE:BLOCK:DURABLE"); };
  std::array<std::string_view, 4> parts;
  auto rest = text;
  for (auto& part : parts) {
    const auto end = std::min(rest.find(':'), rest.size());
    part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto size = to_number(parts[1]);
  const auto block = to_number(parts[2]);
  const auto known = std::find(std::begin(wire::k_creation_methods), std::end(wire::k_creation_methods), parts[0]);
  if (known == std::end(wire::k_creation_methods) || !size || !block || !rest.empty() ||
      (parts[3] != "0" && parts[3] != "1")) {
    throw wrong();
  }
  const bool makes_a_file = parts[0] != wire::k_control;
  const bool by_dd = parts[0] == wire::k_by_dd;
  if (makes_a_file == (*size == 0) || by_dd == (*block == 0) || (by_dd && *size % *block != 0)) throw wrong();
  return {*known, *size, *block, parts[3] == "1", {}, {}};
}

SwapfileMaker::SwapfileMaker(std::string folder, Options options)
    : m_path((folder == "/" ? "" : folder) + "/swapfile"),
      m_options(std::move(options)),
      m_file_system(file_system_of(folder)) {
  if (m_file_system == k_btrfs && m_options.nocow) m_no_nocow = switch_copy_on_write_off(folder);
}

void SwapfileMaker::make(SwapfileCell& cell) {
  if (!cell.unsupported.empty()) return;
  clear();
  Timing timing;
  if (cell.method == wire::k_control) {
    timing = time_tool(cell, {"true"});
  } else if (!m_no_nocow.empty()) {
    cell.unsupported = m_no_nocow;
  } else if (cell.method == wire::k_bare_call) {
    timing = time_call(cell);
  } else if (cell.method == wire::k_by_fallocate) {
    timing = time_tool(cell, {"fallocate", "-l", std::to_string(cell.size), m_path});
  } else {
    timing = time_tool(cell, {"dd", "if=/dev/zero", "of=" + m_path, "bs=" + std::to_string(cell.block),
                              "count=" + std::to_string(cell.size / cell.block)});
  }
  if (cell.unsupported.empty() && cell.method != wire::k_control) check_file(cell);
  if (cell.unsupported.empty()) cell.timings.push_back(timing);
  unlink(m_path.c_str());
}

void SwapfileMaker::clear() {
  if (unlink(m_path.c_str()) != 0 && errno != ENOENT) fail("cannot remove " + m_path);
  if (m_options.sync) sync();
}

Timing SwapfileMaker::time_tool(SwapfileCell& cell, const std::vector<std::string>& command) {
  // The program itself and its libraries come from memory then, as they did for whoever typed the line twice.
  run_tool({command.front(), "--version"});
  const auto end = run_tool(command);
  if (end.status != 0 && contains(end.words, k_no_space)) throw NoRoom(said(command, end));
  if (end.status != 0 && contains(end.words, k_not_supported)) {
    cell.unsupported = end.words;
    return {};
  }
  if (end.status != 0) throw Failure(said(command, end));
  return cell.durable ? end.timing + time_fsync() : end.timing;
}

Timing SwapfileMaker::time_call(SwapfileCell& cell) {
  const Descriptor file(open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) fail("cannot make " + m_path);
  const Stopwatch watch;
  const int result = fallocate(file.get(), 0, 0, static_cast<off_t>(cell.size));
  const auto timing = watch.stop();
  if (result != 0) {
    const auto words = with_reason("fallocate(2) of " + m_path, errno);
    if (errno == ENOSPC) throw NoRoom(words);
    if (errno != EOPNOTSUPP) throw Failure(words);
    cell.unsupported = words;
    return {};
  }
  return cell.durable ? timing + time_fsync() : timing;
}

Timing SwapfileMaker::time_fsync() {
  const Stopwatch watch;
  const Descriptor file(open(m_path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file || fsync(file.get()) != 0) {
    const auto words = with_reason("cannot fsync " + m_path, errno);
    if (errno == ENOSPC) throw NoRoom(words);
    throw Failure(words);
  }
  return watch.stop();
}

void SwapfileMaker::check_file(SwapfileCell& cell) {
  struct stat status {};
  if (stat(m_path.c_str(), &status) != 0) fail("the file was not made: " + m_path);
  if (static_cast<std::uint64_t>(status.st_size) != cell.size) {
    throw Failure(m_path + " has " + std::to_string(status.st_size) + " bytes instead of " + std::to_string(cell.size));
  }
  if (cell.method == wire::k_bare_call) return;
  if (m_file_system == k_btrfs && m_options.nocow && is_copied_on_write(m_path)) {
    cell.unsupported = "btrfs made the file without NOCOW although its folder has it";
    return;
  }
  prove(cell);
}

void SwapfileMaker::prove(SwapfileCell& cell) {
  if (chmod(m_path.c_str(), 0600) != 0) fail("cannot close the file to others: " + m_path);
  must({"mkswap", m_path});
  const std::vector<std::string> switch_on = {"swapon", m_path};
  const auto end = run_tool(switch_on);
  if (end.status != 0 && says_unusable(end.words)) {
    cell.unsupported = end.words;
    return;
  }
  if (end.status != 0) throw Failure(said(switch_on, end));
  if (!is_on()) throw Failure("swapon did not complain, but " + m_path + " is not in " + m_options.swaps);
  must({"swapoff", m_path});
}

bool SwapfileMaker::is_on() const {
  const auto swaps = "\n" + read_text(m_options.swaps).value_or("");
  return swaps.find("\n" + m_path + " ") != std::string::npos || swaps.find("\n" + m_path + "\t") != std::string::npos;
}

}  // namespace swaprig::probe
