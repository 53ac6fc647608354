#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdrive/model/counters.hpp"
#include "simdrive/model/faults.hpp"
#include "simdrive/model/parameters.hpp"

namespace swaprig::simdrive {

/// Reads NAME:OFFSET:SIZE; returns what is wrong with it, or nothing.
std::string read_region(std::string_view text, Region& region);

/// What the server is told on its command line.
struct Settings {
  DriveParameters drive;
  std::string file;     ///< empty: kept in memory
  std::uint64_t room = 0;  ///< bytes that the backing may take; 0: no bound
  std::string control;  ///< empty: no control socket
  std::string trace;    ///< empty: none
  double time_scale = 1;
  Time transport{0};  ///< taken off every delay: the way to the server and back takes it already
  std::optional<Time> vanish;
  std::vector<Region> regions;
  std::vector<std::string> bad;  ///< texts, since the drive's size may come after them

  /// Takes one NAME=VALUE. Returns what is wrong with it, or nothing.
  std::string apply(std::string_view name, std::string_view value);
  /// What is wrong with all of it together, or nothing.
  std::string check() const;
  /// The bad ranges and the vanishing, counted from the server's start; `check` has found nothing wrong.
  Faults faults() const;
};

}  // namespace swaprig::simdrive
