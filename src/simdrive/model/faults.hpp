#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdrive/model/request.hpp"

namespace swaprig::simdrive {

/// A part of the drive that fails from a moment on.
struct BadRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool read = false;
  bool write = false;
  Time from{0};

  friend bool operator==(const BadRange&, const BadRange&) = default;
};

/// What is broken on a drive, as a function of time.
class Faults {
 public:
  void add(const BadRange& range) { m_bad.push_back(range); }
  void vanish(Time from) { m_vanishes = m_vanishes ? std::min(*m_vanishes, from) : from; }

  bool vanished(Time now) const { return m_vanishes && now >= *m_vanishes; }
  /// When the drive vanishes, if ever.
  std::optional<Time> vanishes() const { return m_vanishes; }
  /// True when a bad range makes the command fail.
  bool fails(const Request& request, Time now) const;

 private:
  std::vector<BadRange> m_bad;
  std::optional<Time> m_vanishes;
};

/// Reads "OFFSET:SIZE:MODE" or "OFFSET:SIZE:MODE:AFTER_MS", MODE being read, write or both; false when it is none,
/// or when the range is empty or leaves the drive. `error` says why. AFTER_MS counts from `now`.
bool parse_bad_range(std::string_view text, std::uint64_t drive_size, Time now, BadRange& range, std::string& error);

}  // namespace swaprig::simdrive
