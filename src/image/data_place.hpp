#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "spec/experiment.hpp"

namespace swaprig::image {

/// Moves the blocks of the files and folders of an ext4 that mke2fs -d packed at the start, without mounting it:
///   end     the last free blocks that take them all, in the order in which they were
///   spread  each folder of the first two levels ("/usr/lib") with all below it, and the files of each folder above, at
///           a place of its own; the places are even over the file system, in the order of the folders' names. (ext4
///           itself, filled while mounted, gives a block group of its own to each folder of the first level alone.)
/// Bitmaps, inode tables, journal and blocks of extended attributes stay at the start. `start` changes nothing.
/// The same file system gives the same places. Throws Error with libext2fs's words.
void place_data(const std::filesystem::path& file, spec::RootData place);

/// The first block of each part when `parts` are spread over `room` blocks: part i begins at i/parts of the room. Pure.
std::vector<std::uint64_t> even_places(std::size_t parts, std::uint64_t room);

}  // namespace swaprig::image
