#pragma once

#include <string>

#include "base/bytes.hpp"
#include "drive/block_device.hpp"

namespace swaprig::drive {

/// Name of the partition that says to people and to other programs that a claimed drive is taken.
inline constexpr const char* k_claim_name = "claimed-by-swaprig";

/// What the owner has to type to claim a device: the serial of a drive, the PARTUUID of a partition; empty when it has
/// none. Pure.
std::string claim_word(const BlockDevice& device);

/// The GUID of the partition table of a claimed device. It follows from the claim word and the size, so that a table
/// that was copied to another drive claims nothing. Pure.
std::string label_guid(const BlockDevice& device);

/// Whether the device holds a partition table with that GUID. Pure.
bool is_claimed(const BlockDevice& device);

}  // namespace swaprig::drive
