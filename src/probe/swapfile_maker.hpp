#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/system.hpp"
#include "probe/tool.hpp"

namespace swaprig::probe {

/// The file system has no room for the file.
class NoRoom : public Failure {
 public:
  using Failure::Failure;
};

/// What is made again and again, and what came of it.
struct SwapfileCell {
  std::string method;  ///< of base/wire.hpp
  std::uint64_t size = 0;
  std::uint64_t block = 0;
  bool durable = false;
  std::vector<Timing> timings;
  std::string unsupported;  ///< the words of whoever refused; empty while nobody did
};

/// "METHOD:SIZE:BLOCK:DURABLE"; throws Failure when the text has another form.
SwapfileCell parse_cell(std::string_view text);

/// Makes one swap file at a time in a folder and times nothing but the making.
class SwapfileMaker {
 public:
  struct Options {
    bool nocow = true;                      ///< on btrfs: new files in the folder are not copied on write
    std::string swaps = "/proc/swaps";      ///< where a swap file that is on can be seen
    bool sync = true;                       ///< everything to the drives before each timing
  };

  /// `folder` is an absolute path.
  SwapfileMaker(std::string folder, Options options);

  /// "ext4", "xfs", "btrfs", or the number that the kernel gives it.
  const std::string& file_system() const { return m_file_system; }

  /// Old file away, sync, the making, the proof that it is usable: one more timing, or the reason why there is none. Does
  /// nothing for a cell that was refused before. Throws NoRoom, and Failure when anything else went wrong.
  void make(SwapfileCell& cell);

 private:
  void clear();
  Timing time_tool(SwapfileCell& cell, const std::vector<std::string>& command);
  Timing time_call(SwapfileCell& cell);
  Timing time_fsync();
  void check_file(SwapfileCell& cell);
  void prove(SwapfileCell& cell);
  bool is_on() const;

  std::string m_path;
  Options m_options;
  std::string m_file_system;
  std::string m_no_nocow;  ///< why new files of a btrfs are copied on write although they should not be
};

}  // namespace swaprig::probe
