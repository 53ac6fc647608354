#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "probe/system.hpp"

namespace swaprig::probe {

/// "[   12.345678] TEXT" from one record of /dev/kmsg, or nothing when it does not come from the kernel itself.
std::optional<std::string> format_record(std::string_view record);

/// The kernel messages that are new since it was made.
class KernelLog {
 public:
  /// Throws Failure when the log cannot be opened.
  explicit KernelLog(const std::string& path = "/dev/kmsg");

  /// One line each, at most `limit` bytes. Messages that the kernel overwrote or that did not fit set `lost`.
  std::string take_new(std::size_t limit);
  bool lost() const { return m_lost; }

 private:
  Descriptor m_log;
  bool m_lost = false;
};

}  // namespace swaprig::probe
