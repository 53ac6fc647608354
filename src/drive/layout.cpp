#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "drive/attachment.hpp"

namespace swaprig::drive {

namespace {

constexpr std::uint64_t k_alignment = std::uint64_t{1} << 20U;
constexpr std::size_t k_most_partitions = 128;  // entries of a GPT as sfdisk makes it

std::uint64_t round_down(std::uint64_t count) { return count - count % k_alignment; }

/// Whole MiB; sizes near 2^64 stay below it.
std::uint64_t round_up(std::uint64_t count) {
  const auto down = round_down(count);
  if (down == count) return count;
  return down > UINT64_MAX - k_alignment ? UINT64_MAX : down + k_alignment;
}

/// Bytes between the first MiB, which holds the partition table, and the last one, which holds its copy.
std::uint64_t usable_space(Bytes drive_size) {
  if (drive_size.count < 3 * k_alignment) {
    throw UsageError(
        fmt::format("a drive of {} is too small for a partition table; give it at least 3 MiB", exact(drive_size)));
  }
  return round_down(drive_size.count - k_alignment) - k_alignment;
}

std::uint64_t size_of_rest(const std::vector<spec::Partition>& partitions, std::uint64_t usable) {
  std::uint64_t left = usable;
  for (const auto& partition : partitions) {
    if (!partition.size) continue;
    const auto size = round_up(partition.size->count);
    if (size == 0) {
      throw UsageError(fmt::format("partition {} has no size", printable_line(partition.name)));
    }
    if (size > left) {
      throw UsageError(fmt::format(
          "partition {} ({}) does not fit: {} of the drive's {} for partitions are left; make it or another one "
          "smaller, "
          "or the drive larger",
          printable_line(partition.name), exact(*partition.size), exact(Bytes{left}), exact(Bytes{usable})));
    }
    left -= size;
  }
  return left;
}

}  // namespace

const PlacedPartition& Layout::partition(const std::string& name) const {
  const auto found = std::find_if(partitions.begin(), partitions.end(), [&](const auto& p) { return p.name == name; });
  SWAPRIG_ASSERT(found != partitions.end());
  return *found;
}

Layout lay_out(const std::vector<spec::Partition>& partitions, Bytes drive_size) {
  const auto rests = std::count_if(partitions.begin(), partitions.end(), [](const auto& p) { return !p.size; });
  if (rests > 1) throw UsageError("only one partition of a drive can take the rest of it");
  if (partitions.size() > k_most_partitions) {
    throw UsageError(
        fmt::format("{} partitions on one drive; a partition table holds {}", partitions.size(), k_most_partitions));
  }
  const auto rest = size_of_rest(partitions, usable_space(drive_size));

  Layout layout{drive_size, {}};
  std::uint64_t offset = k_alignment;
  for (const auto& partition : partitions) {
    const auto size = partition.size ? round_up(partition.size->count) : rest;
    if (size == 0) {
      throw UsageError(fmt::format("nothing is left of the drive's {} for partition {}", exact(drive_size),
                                   printable_line(partition.name)));
    }
    layout.partitions.push_back({partition.name, static_cast<int>(layout.partitions.size()) + 1, Bytes{offset},
                                 Bytes{size}, partition.type, partition.holds_image});
    offset += size;
  }
  return layout;
}

}  // namespace swaprig::drive
