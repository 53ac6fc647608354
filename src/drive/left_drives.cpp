#include <fmt/format.h>

#include "base/error.hpp"
#include "drive/file_claim.hpp"
#include "drive/queue_settings.hpp"
#include "drive/test_drive.hpp"

namespace swaprig::drive {

std::vector<std::string> remove_left_drives(const std::filesystem::path& folder) {
  constexpr std::string_view k_marker_end = ".swaprig";
  std::vector<std::filesystem::path> left;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored)) {
    const auto name = entry.path().string();
    if (!name.ends_with(k_marker_end)) continue;
    left.emplace_back(name.substr(0, name.size() - k_marker_end.size()));
  }
  std::vector<std::string> lines;
  for (const auto& file : left) {
    try {
      const FileClaim claim(file, "", Bytes{0});  // takes what a dead owner left, and refuses everything else
      lines.push_back(fmt::format("removed the drive {} that a swaprig left behind", file.string()));
    } catch (const HostError&) {
      continue;  // in use, or not ours
    }
  }
  for (auto& line : put_back_queue_settings(folder)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace swaprig::drive
