#include "spec/kind.hpp"
#include "spec/placements/file_placement.hpp"

namespace swaprig::spec {

/// { file = "/swapfile", on = "DRIVE.PARTITION", size = "4 GiB", create = "dd", block = "1 MiB" }: a file whose every
/// block is written.
class DdPlacement final : public FilePlacement {
 public:
  std::string name() const override { return "dd"; }

  SwapArea read(TableReader& table) const override {
    auto area = read_file(table);
    area.block = table.size("block", {Bytes{512}, gib(1)}).value_or(mib(1));
    if (area.size.count % area.block.count != 0) {
      table.fault("size", "size has to be a multiple of dd's block, " + exact(area.block),
                  "change size, or block = \"...\"");
    }
    return area;
  }

 protected:
  PlacementStep make_file(const SwapArea& area, const std::string& path) const override {
    return {"write the file",
            {"dd", "if=/dev/zero", "of=" + path, "bs=" + std::to_string(area.block.count),
             "count=" + std::to_string(area.size.count / area.block.count), "conv=fsync", "status=none"},
            {}};
  }
};

template const PlacementKind& the<PlacementKind, DdPlacement>();

}  // namespace swaprig::spec
