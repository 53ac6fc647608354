#include "host/folder_state.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "base/handle.hpp"

namespace swaprig::host {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_block = 4096;

std::string words(int error_number) { return std::generic_category().message(error_number); }

/// A file that goes with its descriptor.
Fd scratch_file(const fs::path& folder) {
  std::string name = (folder / ".swaprig-try-XXXXXX").string();
  Fd file(::mkostemp(name.data(), O_CLOEXEC));
  const int fault = errno;
  if (file) ::unlink(name.c_str());
  errno = fault;
  return file;
}

/// Why O_DIRECT does not work on the file; empty when it does.
std::string direct_fault(int file) {
  struct statfs status {};
  // Newer kernels take O_DIRECT on tmpfs, but its files are the host's memory.
  if (::fstatfs(file, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC)) {
    return "it is a file system in memory (tmpfs)";
  }
  if (::fcntl(file, F_SETFL, O_DIRECT) != 0) return words(errno);
  const std::unique_ptr<void, FreeWith<&std::free>> block(std::aligned_alloc(k_block, k_block));
  if (!block) return words(ENOMEM);
  std::fill_n(static_cast<char*>(block.get()), k_block, '\0');
  const ssize_t written = ::pwrite(file, block.get(), k_block, 0);
  if (written < 0) return words(errno);
  return written == static_cast<ssize_t>(k_block) ? "" : "a write was cut short";
}

}  // namespace

FolderState look_at_folder(const fs::path& folder) {
  FolderState state;
  state.path = folder;
  try {
    make_folders(folder);
  } catch (const FileError& error) {
    state.fault = error.what();
    return state;
  }
  const Fd file = scratch_file(folder);
  if (!file) {
    state.fault = words(errno);
    return state;
  }
  struct statvfs space {};
  if (::fstatvfs(file.get(), &space) == 0) {
    state.free = Bytes{static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize};
  }
  state.direct_fault = direct_fault(file.get());
  return state;
}

}  // namespace swaprig::host
