#pragma once

#include <string>
#include <string_view>

namespace swaprig::drive {

/// The kernel's name of a partition: "vda", 1 -> "vda1"; a name that ends in a digit gets a 'p' between:
/// "nvme0n1", 1 -> "nvme0n1p1" (block/partitions/core.c of Linux). Paths ("/dev/loop0") work as well. Pure.
std::string partition_name(std::string_view device, int number);

}  // namespace swaprig::drive
