#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "guest/guest_agent.hpp"
#include "guest/observations.hpp"

namespace swaprig::guest {

struct GuestPartition {
  std::string device;  ///< "vda2"
  int number = 0;
  std::int64_t offset_bytes = 0;  ///< from the drive's start
  std::int64_t size_bytes = 0;

  friend bool operator==(const GuestPartition&, const GuestPartition&) = default;
};

struct FoundDrive {
  GuestDrive drive;  ///< `drive.drive`, the experiment's name, is empty until `name_drives`
  std::vector<GuestPartition> partitions;
};

/// What the guest is, in one answer of the probe.
struct GuestFacts {
  std::string kernel_release;
  std::string kernel_command_line;
  std::vector<SwapLine> swaps;
  std::map<std::string, std::string> settings;
  std::vector<FoundDrive> drives;
  std::vector<ReadBack> sysctls;  ///< what was set, read back

  /// Null when no drive has that serial.
  const FoundDrive* by_serial(const std::string& serial) const;
  /// The drive that "vda2" or "vda" is (part of), null when there is none.
  const FoundDrive* holding(const std::string& block_device) const;
};

/// "/dev/vda2" for a partition by the drive's serial, never by its name; throws AgentError that names what was found.
std::string partition_device(const GuestFacts& facts, const std::string& serial, int number);

/// Gives each drive the experiment's name of its serial. Throws AgentError when one is missing or there twice.
void name_drives(GuestFacts& facts, const std::map<std::string, std::string>& serial_by_drive);

/// Sets the sysctls in the guest (none is fine) and asks for everything. Throws AgentError.
GuestFacts read_facts(GuestAgent& agent, const std::map<std::string, std::string>& sysctls);

/// Pure; throws AgentError for a text of another form.
GuestFacts parse_facts(std::string_view text);

}  // namespace swaprig::guest
