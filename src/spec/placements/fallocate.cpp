#include "spec/kind.hpp"
#include "spec/placements/file_placement.hpp"

namespace swaprig::spec {

/// { file = "/swapfile", on = "DRIVE.PARTITION", size = "4 GiB", create = "fallocate" }: a file whose blocks are
/// reserved and not written.
class FallocatePlacement final : public FilePlacement {
 public:
  std::string name() const override { return "fallocate"; }

  SwapArea read(TableReader& table) const override { return read_file(table); }

 protected:
  PlacementStep make_file(const SwapArea& area, const std::string& path) const override {
    return {"reserve the file",
            {"fallocate", "-l", std::to_string(area.size.count), path},
            {"fallocate failed: Operation not supported"}};
  }
};

template const PlacementKind& the<PlacementKind, FallocatePlacement>();

}  // namespace swaprig::spec
