#pragma once

#include <filesystem>

#include "base/command.hpp"

namespace swaprig::image {

/// True when we are root; otherwise image files are handled in a user namespace where we are.
bool is_root();

/// The command as it has to be run so that files of an image can have their owners: as it is for root, through
/// unshare(1) with all our subordinate ids for others. `commands` finds the program's path, since a user's own PATH
/// may lack it. Throws HostError when a program is missing.
Command as_image_root(const Command& command, CommandRunner& commands);

/// Throws HostError that names the Debian package unless the program is there.
void require_program(CommandRunner& commands, const std::string& program, const std::string& package);

/// Removes a folder of ours with everything in it, whoever owns it there; stays on its file system.
void remove_image_folder(const std::filesystem::path& folder, CommandRunner& commands);

}  // namespace swaprig::image
