#pragma once

// Block devices and virtio ports, found by serial and name in /sys.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// The value of NAME=VALUE among kernel arguments; the last one counts, as in the kernel.
std::optional<std::string> kernel_argument(std::string_view command_line, std::string_view name);

/// "SERIAL:PARTITION", the partition counted from 1.
struct RootArgument {
  std::string serial;
  int partition = 0;
};

/// Nothing when the text has another form.
std::optional<RootArgument> parse_root_argument(std::string_view text);

/// The serial number in a SCSI vital product data page 0x80; empty when the page is broken.
std::string serial_in_page_80(std::string_view page);

/// The serial that the drive itself reports (virtio: serial; SCSI and ATA: page 0x80); empty when it has none.
std::string serial_of(const std::string& block_device);

/// "vda2" for the partition with this number, or nothing.
std::optional<std::string> partition_of(const std::string& block_device, int number);

/// Waits at most `limit_ms` for the partition; throws Failure that names the serials that were there.
std::string wait_for_partition(const RootArgument& root, int limit_ms);

/// "/dev/vport1p2" of the virtio serial port with this name, or nothing.
std::optional<std::string> virtio_port(std::string_view name);

}  // namespace swaprig::probe
