#pragma once

#include "cli/verbs.hpp"
#include "drive/block_device.hpp"

namespace swaprig::cli {

// The verbs below `drive`, one file each; `drive` is the verb above them.
Verb add_drive_list(CLI::App& drive);
Verb add_drive_claim(CLI::App& drive);
Verb add_drive_release(CLI::App& drive);
Verb add_drive_simulate(CLI::App& drive);

/// Where the locks of real drives lie.
std::filesystem::path drive_lock_folder(const Session& session);

/// "gpt; sdb1 ext4 \"home\", mounted on /home": what lies on a drive and its partitions, for people.
std::string content_of(const drive::BlockDevice& device, const drive::BlockDevices& devices);

}  // namespace swaprig::cli
