#include "spec/placements/file_placement.hpp"

#include <filesystem>

#include "base/assert.hpp"
#include "spec/names.hpp"
#include "spec/placements/swap_area.hpp"

namespace swaprig::spec {
namespace {

constexpr Bytes k_page{4096};
/// mkswap refuses areas of less than ten pages; what is measured is larger anyway.
constexpr Range<Bytes> k_sizes{mib(1), Bytes{std::uint64_t{1} << 50U}};

std::string mount_point(const SwapArea& area, const GuestPaths& paths) {
  const auto found = paths.mount_point.find(area.where);
  SWAPRIG_ASSERT(found != paths.mount_point.end());
  return found->second == "/" ? "" : found->second;
}

/// The kernel takes no swap file of a btrfs whose blocks may move. An empty file can still be told so; then it is not
/// compressed either.
void add_nocow(const SwapArea& area, const std::string& path, std::vector<PlacementStep>& steps) {
  if (area.file_system != PartitionType::btrfs) return;
  steps.push_back({"make the empty file", {"touch", path}, {}});
  steps.push_back({"switch copy-on-write off",
                   {"chattr", "+C", path},
                   {"Operation not supported while setting flags on " + path}});
}

}  // namespace

bool FilePlacement::recognises(const TableReader& table) const {
  return table.has("file") && table.peek("create") == name();
}

SwapArea FilePlacement::read_file(TableReader& table) const {
  SwapArea area;
  area.kind = name();
  table.text("create");
  area.where = read_partition(table, "on");
  if (const auto file = table.text("file")) {
    area.file = *file;
    if (const auto wrong = path_fault(*file); !wrong.empty()) {
      table.fault("file", "file: " + wrong, "write an absolute path such as \"/swapfile\"");
    }
  }
  table.require("size", "size = \"4 GiB\"");
  area.size = table.size("size", k_sizes).value_or(Bytes{0});
  if (area.size.count % k_page.count != 0) {
    table.fault("size", "size has to be a multiple of 4 KiB, the size of a page");
  }
  area.priority = read_priority(table);
  if (const auto beside = table.text("beside")) {
    area.beside = *beside;
    if (const auto wrong = path_fault(*beside); !wrong.empty()) {
      table.fault("beside", "beside: " + wrong, "write an absolute path such as \"/swapfile-1\"");
    } else if (*beside == area.file) {
      table.fault("beside", "beside names the swap file itself", "it is another file, made before this one");
    }
  }
  return area;
}

std::vector<PlacementStep> FilePlacement::place(const SwapArea& area, const GuestPaths& paths) const {
  const auto mounted_at = mount_point(area, paths);
  const auto path = mounted_at + area.file;
  std::vector<PlacementStep> steps;
  for (const auto& file : {area.beside, area.file}) {
    const auto folder = std::filesystem::path(file).parent_path().string();
    if (!folder.empty() && folder != "/") steps.push_back({"make the folder", {"mkdir", "-p", mounted_at + folder}, {}});
  }
  if (!area.beside.empty()) {
    add_nocow(area, mounted_at + area.beside, steps);
    auto step = make_file(area, mounted_at + area.beside);
    step.what += " beside it";
    steps.push_back(std::move(step));
  }
  add_nocow(area, path, steps);
  steps.push_back(make_file(area, path));
  steps.push_back({"close the file to others", {"chmod", "0600", path}, {}});
  steps.push_back(mkswap_step(path));
  // The first is swapon's own check of st_blocks, the second what the kernel says to extents that it cannot use.
  steps.push_back(swapon_step(path, area, {"skipping - it appears to have holes.", "swapon failed: Invalid argument"}));
  return steps;
}

ExpectedSwap FilePlacement::expected(const SwapArea& area, const GuestPaths& paths) const {
  return {mount_point(area, paths) + area.file, "file", area.size - k_header_page, area.priority};
}

}  // namespace swaprig::spec
