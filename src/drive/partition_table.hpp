#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "drive/attachment.hpp"

namespace swaprig::drive {

/// A GUID that depends on the two texts alone, so that a drive made again is the same; upper case, version 8 of RFC
/// 9562.
std::string guid_from(const std::string& serial, const std::string& what);

/// How the table of a drive differs from that of a plain file.
struct TableStyle {
  std::string guid;   ///< of the table; empty: follows from the serial
  int sector = 512;   ///< sfdisk counts in the drive's logical sectors
};

/// What sfdisk reads on its stdin to make the table. Pure.
std::string partition_script(const Layout& layout, const std::string& serial, const TableStyle& style = {});

/// Writes the GPT; nothing but the table and old signatures is touched. Throws CommandError.
void write_partition_table(const std::filesystem::path& drive, const Layout& layout, const std::string& serial,
                           CommandRunner& commands, const TableStyle& style = {});

/// Where `sfdisk --json` differs from the layout, one line a difference; empty when it is as planned. Pure;
/// throws HostError when the text is no answer of sfdisk.
std::vector<std::string> table_differences(const std::string& sfdisk_json, const Layout& layout,
                                           const std::string& serial, const TableStyle& style = {});

/// Reads the table back from the drive; throws HostError with every difference, CommandError.
void read_back_layout(const std::filesystem::path& drive, const Layout& layout, const std::string& serial,
                      CommandRunner& commands, const TableStyle& style = {});

}  // namespace swaprig::drive
