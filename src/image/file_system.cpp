#include "image/file_system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/root_tar.hpp"
#include "image/user_mode.hpp"

namespace swaprig::image {
namespace {

constexpr std::uint64_t k_inode_size = 256;
constexpr std::uint64_t k_group_blocks = 32768;  // what one block of bitmap covers

std::string uuid_from(const std::string& digest) {
  SWAPRIG_ASSERT(digest.size() >= 32);
  return fmt::format("{}-{}-{}-{}-{}", digest.substr(0, 8), digest.substr(8, 4), digest.substr(12, 4),
                     digest.substr(16, 4), digest.substr(20, 12));
}

/// mke2fs's own choice is up to four times as much, and all of it would be poured before every run.
Bytes journal_for(Bytes size) {
  if (size < mib(128)) return mib(4);
  return size < gib(16) ? mib(16) : mib(64);
}

/// Inode tables, bitmaps, journal and group descriptors, generously.
Bytes overhead(const FileSystemPlan& plan) {
  const auto groups = plan.size.count / k_block.count / k_group_blocks + 1;
  return Bytes{plan.inodes * k_inode_size} + plan.journal + k_block * (groups * 3) + mib(1);
}

}  // namespace

FileSystemPlan plan_file_system(const std::string& image, const std::string& digest, Bytes data,
                                std::uint64_t image_inodes, Bytes size) {
  FileSystemPlan plan;
  plan.size = Bytes{size.count / k_block.count * k_block.count};
  plan.inodes = std::clamp<std::uint64_t>(plan.size.count / kib(64).count, image_inodes + 4096,
                                          std::max<std::uint64_t>(262144, image_inodes * 2));
  plan.journal = journal_for(plan.size);
  plan.uuid = uuid_from(digest);
  const auto needed = data + overhead(plan);
  if (needed > plan.size) {
    throw HostError(
        fmt::format("cannot put the image {} into a partition of {}: its {} of files need {}; "
                    "make the partition larger or the image smaller",
                    image, rounded(size), rounded(data), rounded(needed)));
  }
  return plan;
}

Command mke2fs_command(const FileSystemPlan& plan, const std::filesystem::path& tree,
                       const std::filesystem::path& file) {
  constexpr const char* k_features =
      "none,has_journal,ext_attr,dir_index,filetype,extent,64bit,flex_bg,sparse_super,large_file,huge_file,dir_nlink,"
      "extra_isize,metadata_csum";
  // packed_meta_blocks: bitmaps and inode tables lie together at the start, and mounting reads them in one go.
  const auto extended = fmt::format(
      "lazy_itable_init=0,lazy_journal_init=0,nodiscard,packed_meta_blocks=1,root_owner=0:0,hash_seed={}", plan.uuid);
  return {.program = "mke2fs",
          .arguments = {"-q",          "-F",
                        "-t",          "ext4",
                        "-b",          std::to_string(k_block.count),
                        "-I",          std::to_string(k_inode_size),
                        "-N",          std::to_string(plan.inodes),
                        "-m",          "0",
                        "-O",          k_features,
                        "-J",          fmt::format("size={}", plan.journal.count / mib(1).count),
                        "-E",          extended,
                        "-U",          plan.uuid,
                        "-L",          "swaprig",
                        "-d",          tree.string(),
                        file.string(), std::to_string(plan.size.count / k_block.count)},
          .timeout = std::chrono::hours(1)};
}

void make_file_system(const FileSystemPlan& plan, const std::filesystem::path& tar, const std::filesystem::path& work,
                      const std::filesystem::path& file, CommandRunner& commands) {
  const auto tree = work / "tree";
  make_folders(tree);
  // The guest mounts devtmpfs; device nodes cannot be made in a user namespace.
  run_checked(commands,
              as_image_root({.program = "tar",
                             .arguments = {"--extract", "--file", tar.string(), "--numeric-owner", "--same-owner",
                                           "--preserve-permissions", "--xattrs", "--xattrs-include=*",
                                           "--anchored", "--exclude=./dev/?*", k_without_build_files, "--directory",
                                           tree.string()},
                             .timeout = std::chrono::hours(1)},
                            commands));
  {
    const Fd fd = open_file(file, O_WRONLY | O_CREAT | O_EXCL, "cannot make the file system");
    if (::ftruncate(fd.get(), static_cast<off_t>(plan.size.count)) != 0) {
      throw FileError("cannot make the file system", file.string(), errno);
    }
  }
  run_checked(commands, as_image_root(mke2fs_command(plan, tree, file), commands));
  const Fd fd = open_file(file, O_WRONLY, "cannot sync the file system");
  if (::fsync(fd.get()) != 0) throw FileError("cannot sync the file system", file.string(), errno);
  remove_image_folder(tree, commands);
}

}  // namespace swaprig::image
