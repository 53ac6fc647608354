#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "drive/partition_table.hpp"
#include "drive/simulated_bytes.hpp"
#include "drive/simulated_server.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::drive {

namespace {

constexpr Bytes k_table = mib(1);  // at both ends

class SimulatedDrive final : public TestDrive {
 public:
  SimulatedDrive(SimulatedBytes bytes, ServerSetup setup, Attachment attachment)
      : m_bytes(std::move(bytes)),
        m_layout(setup.layout),
        m_attachment(std::move(attachment)),
        m_server(std::move(setup)) {}

  const Attachment& attachment() const override { return m_attachment; }
  const Layout& layout() const override { return m_layout; }
  std::filesystem::path bytes() const override { return m_bytes.path(); }
  void refresh() override { m_bytes.clear(k_table, m_layout.drive_size - k_table - k_table); }
  std::optional<BackingState> state() override { return std::nullopt; }
  DriveServer* server() override { return &m_server; }

 private:
  SimulatedBytes m_bytes;
  Layout m_layout;
  Attachment m_attachment;
  SimulatedServer m_server;
};

void require_plain_sectors(const spec::Drive& drive) {
  if (drive.simulated()->profile.parameters.logical_sector == 512) return;
  throw UsageError(fmt::format("drive {}: its profile has sectors of {} bytes; guests boot from drives with 512 only",
                               printable_line(drive.name), drive.simulated()->profile.parameters.logical_sector));
}

Attachment attachment_of(const spec::Drive& drive, const std::string& serial, const std::filesystem::path& socket) {
  const auto& profile = drive.simulated()->profile;
  Attachment attachment;
  attachment.drive = drive.name;
  attachment.source = Attachment::Source::nbd_socket;
  attachment.path = socket;
  attachment.serial = serial;
  attachment.bus = drive.bus;
  attachment.rotation_rate = profile.rotation_rate();
  attachment.logical_sector = static_cast<int>(profile.parameters.logical_sector);
  attachment.physical_sector = static_cast<int>(profile.parameters.physical_sector);
  return attachment;
}

}  // namespace

std::unique_ptr<TestDrive> make_simulated_drive(const spec::Drive& drive, const SimulatedPlaces& places,
                                                const std::string& serial, CommandRunner& commands) {
  SWAPRIG_ASSERT(drive.simulated() != nullptr);
  require_plain_sectors(drive);
  ServerSetup setup;
  setup.nbdkit = require_nbdkit(commands);
  setup.plugin = places.plugin;
  setup.socket = places.socket_folder / (serial + ".nbd");
  setup.control = places.socket_folder / (serial + ".ctl");
  if (setup.socket.string().size() > simdrive_wire::k_longest_socket_path) {
    throw HostError(fmt::format("the path of a drive's socket is too long: {}", setup.socket.string()));
  }
  setup.room = places.room;
  setup.backing = *drive.simulated();
  setup.layout = lay_out(drive.partitions, drive.size());

  const auto file = places.folder / (slug(drive.name) + ".raw");
  if (!places.in_memory) make_folders(places.folder);
  auto bytes = places.in_memory ? SimulatedBytes::in_memory(drive.size())
                                : SimulatedBytes::in_file(file, serial, drive.size());
  write_partition_table(bytes.path(), setup.layout, serial, commands);
  read_back_layout(bytes.path(), setup.layout, serial, commands);
  setup.bytes = bytes.path();
  auto attachment = attachment_of(drive, serial, setup.socket);
  return std::make_unique<SimulatedDrive>(std::move(bytes), std::move(setup), std::move(attachment));
}

}  // namespace swaprig::drive
