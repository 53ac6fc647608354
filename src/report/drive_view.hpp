#pragma once

// Where everything lies on each drive: the layout that was planned and the extents that were found. Pure.

#include <string>
#include <vector>

#include "drive/attachment.hpp"
#include "report/findings.hpp"

namespace swaprig::report {

/// One arm's swap on one drive.
struct DriveSwap {
  std::string arm;                        ///< label
  std::string kind;                       ///< "partition", "dd", ...
  std::string where;                      ///< partition's name, or the file's path
  std::vector<guest::DiskRange> extents;  ///< as found in the guest; empty when no run came that far
};

struct DriveView {
  std::string name;  ///< raw
  drive::Layout layout;
  std::vector<DriveSwap> swaps;             ///< in the order of the arms
  std::vector<guest::DiskRange> root_data;  ///< where the image's files lie
};

/// In the order of the file.
std::vector<DriveView> drive_views(const Subject& subject, const Findings& findings);

/// The offset below which this share of the bytes lies; asserts that there are bytes.
std::int64_t position_of_share(const std::vector<guest::DiskRange>& ranges, double share);

}  // namespace swaprig::report
