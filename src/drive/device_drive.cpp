#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/assert.hpp"
#include "base/diagnostic.hpp"
#include "base/text.hpp"
#include "drive/backing_file.hpp"
#include "drive/device_claim.hpp"
#include "drive/device_hold.hpp"
#include "drive/drive_health.hpp"
#include "drive/drive_label.hpp"
#include "drive/file_system.hpp"
#include "drive/neighbours.hpp"
#include "drive/partition_table.hpp"
#include "drive/queue_settings.hpp"
#include "drive/refusals.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::drive {

namespace {

BlockDevices read_again(DeviceNumber number, CommandRunner& commands) {
  return read_block_devices(commands, {number, false, "/dev/disk"});
}

void require_known_names(const std::vector<std::string>& allowed) {
  const auto names = names_that_can_be_allowed();
  for (const auto& name : allowed) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto close = nearest(name, names);
    throw UsageError(fmt::format("--allow {}: there is no such refusal that can be overridden; {}",
                                 printable_line(name),
                                 close.empty() ? "there are: " + join(names, ", ") : "did you mean " + close + "?"));
  }
}

class DeviceDrive final : public TestDrive {
 public:
  DeviceDrive(const spec::Drive& drive, std::vector<std::string> allowed, const std::filesystem::path& lock_folder,
              CommandRunner& commands)
      : m_backing(*drive.device()), m_name(drive.name), m_allowed(std::move(allowed)), m_commands(commands) {
    const auto named = look_up(m_backing.path);
    const auto place = named.block_device ? place_of(named.number) : std::nullopt;
    if (place) m_hold = std::make_unique<DeviceHold>(*place, lock_folder);
    // Looked at while it is held: nothing comes in between what is seen and the first byte that is written.
    const auto devices = read_again(named.number, commands);
    refuse(backing_refusals(m_backing, named, devices, ::geteuid()));
    m_device = *devices.find(named.number);
    m_whole = devices.whole(m_device);
    m_held = identity_of(m_device);
    if (m_device.partition > 0 && !allows("neighbour-in-use")) m_edges = edges_of(m_device, m_whole);
  }

  /// Throws before anything is written when it does not fit.
  void provision(const spec::Drive& drive, const std::filesystem::path& lock_folder, const std::string& serial) {
    m_layout = lay_out(drive.partitions, m_device.size);
    m_queue = std::make_unique<QueueSettings>(m_whole, m_backing.scheduler, m_backing.read_ahead, lock_folder);
    const TableStyle style{label_guid(m_device), m_device.logical_sector};
    write_partition_table(m_device.path, m_layout, serial, m_commands, style);
    read_back_layout(m_device.path, m_layout, serial, m_commands, style);
    if (m_device.partition == 0) forget_partitions(m_device, read_again(m_device.number, m_commands));
    for (const auto& partition : m_layout.partitions) {
      if (partition.type == spec::PartitionType::swap && m_device.loop) write_in_full(partition);
      if (partition.type == spec::PartitionType::ext4 && !partition.holds_image) make_file_system(partition, serial);
    }
    attach(drive, serial);
    refresh();
  }

  const Attachment& attachment() const override { return m_attachment; }
  const Layout& layout() const override { return m_layout; }
  std::filesystem::path bytes() const override { return m_device.path; }

  void refresh() override {
    drop_cached_pages(m_device.path);
    if (m_whole.name != m_device.name) drop_cached_pages(m_whole.path);
    if (m_whole.loop && m_whole.loop->visible) drop_cached_pages(m_whole.loop->file);
  }

  void check() override {
    const auto named = look_up(m_backing.path);
    const auto devices = read_again(m_held.number, m_commands);
    auto found = changes(m_held, m_backing.path, named, devices);
    // Once it is another device its state says nothing.
    if (found.empty()) found = device_refusals(*devices.find(m_held.number), devices, ::geteuid());
    refuse(std::move(found));
    if (!m_edges.empty() && edges_of(m_device, m_whole) != m_edges) {
      throw HostError(
          fmt::format("drive {}: what lies beside the partition {} has changed since it was taken; runs are "
                      "stopped: see what else writes to {}",
                      printable_line(m_name), m_device.path, m_whole.path));
    }
    drop_cached_pages(m_device.path);  // what looking at it has read
    if (m_whole.name != m_device.name) drop_cached_pages(m_whole.path);
  }

  std::optional<BackingState> state() override {
    BackingState state;
    state.cached = cached_bytes(m_device.path);
    state.allocated = m_device.size;
    if (m_whole.loop) {
      const auto flag = try_read_file(std::filesystem::path("/sys/class/block") / m_whole.name / "loop/dio");
      state.loop_direct = flag && trim(*flag) == "1";
      if (m_whole.loop->visible) {
        state.cached = state.cached + cached_bytes(m_whole.loop->file);
        state.allocated = allocated_bytes(m_whole.loop->file);
      }
    }
    state.direct_io = !m_device.without_direct_io;
    for (const auto& signature : m_device.signatures) {
      if (signature.usage == "image") state.image_format = signature.type;
    }
    if (!m_edges.empty()) state.neighbours_untouched = edges_of(m_device, m_whole) == m_edges;
    return state;
  }

 private:
  bool allows(const std::string& name) const {
    return std::find(m_allowed.begin(), m_allowed.end(), name) != m_allowed.end();
  }

  void refuse(std::vector<Refusal> refusals) const {
    refusals = standing(std::move(refusals), m_allowed);
    if (m_hold) refusals = with_hold(std::move(refusals), m_hold->refusals());
    if (refusals.empty()) return;
    throw HostError(fmt::format("drive {}: {} may not be used; nothing was written:{}", printable_line(m_name),
                                printable_line(m_backing.path), to_text(refusals)));
  }

  /// A file behind a loop device gets its blocks before the runs, which would pay for them otherwise.
  void write_in_full(const PlacedPartition& partition) const {
    const auto& file = m_whole.loop->file;
    if (!m_whole.loop->visible || allocated_bytes(file) >= m_whole.size) return;
    require_free_space(std::filesystem::path(file).parent_path(), partition.size);
    const auto fd = open_file(m_device.path, O_WRONLY | O_DIRECT, "cannot open the drive");
    write_zeros(
        fd.get(), partition.size, m_device.path, [](Bytes) {}, partition.offset);
  }

  /// mke2fs wants the device for itself, so it has it for that time; the locks stay.
  void make_file_system(const PlacedPartition& partition, const std::string& serial) {
    m_hold->let_go();
    run_checked(m_commands, make_ext4(m_device.path, partition, serial));
    m_hold->take_again();
  }

  void attach(const spec::Drive& drive, const std::string& serial) {
    m_attachment.drive = drive.name;
    m_attachment.source = Attachment::Source::block_device;
    m_attachment.path = m_backing.path;
    m_attachment.serial = serial;
    m_attachment.bus = drive.bus;
    m_attachment.io = drive.io;
    m_attachment.discard = m_backing.discard;
    m_attachment.logical_sector = m_device.logical_sector;
    m_attachment.physical_sector = m_device.physical_sector;
    const auto health = m_whole.type == "disk" ? read_health(m_whole.path, m_commands) : DriveHealth{};
    m_attachment.rotation_rate = !m_whole.rotational ? 1 : health.rotation_rate.value_or(0);
  }

  spec::DeviceBacking m_backing;
  std::string m_name;
  std::vector<std::string> m_allowed;
  CommandRunner& m_commands;
  std::unique_ptr<DeviceHold> m_hold;  // outlives the settings
  std::unique_ptr<QueueSettings> m_queue;
  BlockDevice m_device;
  BlockDevice m_whole;
  HeldIdentity m_held;
  std::string m_edges;  ///< empty: not compared
  Attachment m_attachment;
  Layout m_layout;
};

}  // namespace

std::unique_ptr<TestDrive> make_device_drive(const spec::Drive& drive, const std::vector<std::string>& allowed,
                                             const std::filesystem::path& lock_folder, const std::string& serial,
                                             CommandRunner& commands) {
  SWAPRIG_ASSERT(drive.device() != nullptr && is_guest_serial(serial));
  require_known_names(allowed);
  put_back_queue_settings(lock_folder);
  auto made = std::make_unique<DeviceDrive>(drive, allowed, lock_folder, commands);
  made->provision(drive, lock_folder, serial);
  return made;
}

}  // namespace swaprig::drive
