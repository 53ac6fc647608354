#pragma once

#include "spec/placement.hpp"
#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// What all swap files share: their keys, and what happens once the file has its blocks.
class FilePlacement : public PlacementKind {
 public:
  bool recognises(const TableReader& table) const override;
  std::vector<PlacementStep> place(const SwapArea& area, const GuestPaths& paths) const override;
  ExpectedSwap expected(const SwapArea& area, const GuestPaths& paths) const override;

 protected:
  /// file, on, size, create, priority, beside
  SwapArea read_file(TableReader& table) const;
  /// The command that gives the file its blocks.
  virtual PlacementStep make_file(const SwapArea& area, const std::string& path) const = 0;
};

}  // namespace swaprig::spec
