#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "drive/backing_file.hpp"
#include "drive/file_claim.hpp"
#include "drive/file_system.hpp"
#include "drive/partition_table.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::drive {

namespace {

class FileDrive final : public TestDrive {
 public:
  FileDrive(std::unique_ptr<FileClaim> claim, Attachment attachment, Layout layout)
      : m_claim(std::move(claim)), m_attachment(std::move(attachment)), m_layout(std::move(layout)) {}

  const Attachment& attachment() const override { return m_attachment; }
  const Layout& layout() const override { return m_layout; }
  std::filesystem::path bytes() const override { return m_claim->file(); }
  void refresh() override { drop_cached_pages(m_claim->file()); }

  std::optional<BackingState> state() override {
    BackingState state;
    state.cached = cached_bytes(m_claim->file());
    state.allocated = allocated_bytes(m_claim->file());
    return state;
  }

 private:
  std::unique_ptr<FileClaim> m_claim;
  Attachment m_attachment;
  Layout m_layout;
};

/// open(2) makes the file before it finds that there is no O_DIRECT: so the flag is added afterwards.
void switch_to_direct(int fd, const std::filesystem::path& path) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_DIRECT) == 0) return;
  if (errno != EINVAL) throw FileError("cannot switch to O_DIRECT", path.string(), errno);
  throw HostError(
      fmt::format("the file system of {} has no O_DIRECT, so the host would cache the drive; use --state on "
                  "a file system that has it (ext4, xfs), not tmpfs",
                  path.string()));
}

/// Every block is written, so that no run pays for its allocation.
void write_in_full(int fd, const std::filesystem::path& path, Bytes size, const std::function<void(Bytes)>& progress) {
  switch_to_direct(fd, path);
  write_zeros(fd, Bytes{k_direct_alignment}, path, [](Bytes) {});
  require_uncached(path, "after the first block");
  reserve_blocks(fd, size, path);
  write_zeros(fd, size, path, progress);
  if (::fsync(fd) != 0) throw FileError("cannot sync the drive", path.string(), errno);
  if (const auto allocated = allocated_bytes(path); allocated < size) {
    throw HostError(
        fmt::format("the file system of {} keeps {} of the {} that were written (compression?); runs there "
                    "would pay for blocks that are not there yet: use --state on another file system",
                    path.string(), rounded(allocated), rounded(size)));
  }
}

}  // namespace

std::unique_ptr<TestDrive> make_file_drive(const spec::Drive& drive, const std::filesystem::path& folder,
                                           const std::string& serial, CommandRunner& commands,
                                           const std::function<void(Bytes)>& progress) {
  SWAPRIG_ASSERT(is_guest_serial(serial));
  const auto size = drive.size();
  if (size.count % k_direct_alignment != 0) {
    throw UsageError(fmt::format("drive {}: {} is not a multiple of {} bytes; give its size in MiB or GiB",
                                 printable_line(drive.name), exact(size), k_direct_alignment));
  }
  auto layout = lay_out(drive.partitions, size);
  make_folders(folder);
  auto claim = std::make_unique<FileClaim>(folder / (slug(drive.name) + ".raw"), serial, size);
  const auto& path = claim->file();
  require_free_space(folder, size);
  {
    const auto fd = claim->create(0);
    write_in_full(fd.get(), path, size, progress);
  }
  write_partition_table(path, layout, serial, commands);
  read_back_layout(path, layout, serial, commands);
  for (const auto& partition : layout.partitions) {
    if (partition.type != spec::PartitionType::ext4 || partition.holds_image) continue;
    auto command = make_ext4(path, partition, serial);
    // On a file mke2fs would "write" zeros by FALLOC_FL_ZERO_RANGE: blocks whose first real write costs again.
    command.environment = {{"UNIX_IO_NOZEROOUT", "1"}};
    run_checked(commands, command);
  }
  drop_cached_pages(path);

  Attachment attachment;
  attachment.drive = drive.name;
  attachment.source = Attachment::Source::file;
  attachment.path = path;
  attachment.serial = serial;
  attachment.bus = drive.bus;
  attachment.io = drive.io;
  return std::make_unique<FileDrive>(std::move(claim), std::move(attachment), std::move(layout));
}

}  // namespace swaprig::drive
