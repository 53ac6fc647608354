#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace swaprig::spec {

/// The kind of workload that makes swap files.
inline constexpr const char* k_swapfile_creation = "swapfile-creation";

/// One thing that is timed again and again in one boot.
struct CreationCell {
  std::string method;    ///< base/wire.hpp: "fallocate", "dd", and the controls "fallocate(2)" and "true"
  Bytes size;            ///< of the file; 0 for "true"
  Bytes block;           ///< dd's; 0 elsewhere
  bool durable = false;  ///< the fsync of the file is part of the time

  friend bool operator==(const CreationCell&, const CreationCell&) = default;
};

/// "dd of 16 MiB in blocks of 4 KiB, fsync"
std::string in_words(const CreationCell& cell);

/// Whether it is there to show what the timing itself costs, and makes no swap file.
bool is_control(const std::string& method);

/// What one run of the workload does.
struct CreationPlan {
  std::vector<CreationCell> cells;  ///< in the order of the first pass; the next pass runs backwards
  int repeat = 1;                   ///< passes

  Bytes largest() const;
  /// All that is written over all passes.
  Bytes written() const;

  friend bool operator==(const CreationPlan&, const CreationPlan&) = default;
};

}  // namespace swaprig::spec
