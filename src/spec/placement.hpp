#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "spec/experiment.hpp"

namespace swaprig::spec {

class TableReader;

/// Where the partitions of an experiment are in one booted guest; found by serial, never by name.
struct GuestPaths {
  std::map<PartitionRef, std::string> device;       ///< "/dev/vda3"
  std::map<PartitionRef, std::string> mount_point;  ///< "/" for the root, "/run/swaprig/fs/..." for others
};

/// One command in the guest while swap is placed.
struct PlacementStep {
  std::string what;                  ///< "make the file", for messages and the time of each step
  std::vector<std::string> command;  ///< argument vector, run as root
  /// Ends of stderr that mean "this file system or kernel cannot do it": the run is `unsupported`.
  std::vector<std::string> unsupported_if;

  friend bool operator==(const PlacementStep&, const PlacementStep&) = default;
};

/// What /proc/swaps has to show for one area.
struct ExpectedSwap {
  std::string path;  ///< device node or file
  std::string type;  ///< "partition" or "file"
  Bytes usable;      ///< size without the header page
  std::optional<int> priority;

  friend bool operator==(const ExpectedSwap&, const ExpectedSwap&) = default;
};

/// One kind of placement. A new one is one file in src/spec/placements/ and its line in placement.cpp.
class PlacementKind {
 public:
  virtual ~PlacementKind() = default;

  virtual std::string name() const = 0;
  /// Whether a table of `swap = [...]` is of this kind, from its keys and values alone.
  virtual bool recognises(const TableReader& table) const = 0;
  /// Reads the area; faults go to the reader's diagnostics. Cross-checks against drives happen in `check`.
  virtual SwapArea read(TableReader& table) const = 0;
  /// Commands that make the area and switch it on, in order.
  virtual std::vector<PlacementStep> place(const SwapArea& area, const GuestPaths& paths) const = 0;
  virtual ExpectedSwap expected(const SwapArea& area, const GuestPaths& paths) const = 0;
};

std::span<const PlacementKind* const> placement_kinds();

/// Asserts that the kind exists.
const PlacementKind& placement_kind(const std::string& name);

}  // namespace swaprig::spec
