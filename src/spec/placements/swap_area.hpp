#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/placement.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// The page of a swap area that mkswap writes; it holds no swap (mm/swapfile.c of Linux).
inline constexpr Bytes k_header_page{4096};

/// "DRIVE.PARTITION" under `key`; required. Both parts are empty when it is wrong.
PartitionRef read_partition(TableReader& table, std::string_view key);

/// -32768 to -1 are the kernel's own; 0 to 32767 are ours to give.
std::optional<int> read_priority(TableReader& table);

PlacementStep mkswap_step(const std::string& path);
/// `unsupported_if`: for swap files, what swapon says of a file system that cannot hold one.
PlacementStep swapon_step(const std::string& path, const SwapArea& area, std::vector<std::string> unsupported_if);

}  // namespace swaprig::spec
