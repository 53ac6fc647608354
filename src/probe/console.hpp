#pragma once

#include <string_view>

#include "probe/system.hpp"

namespace swaprig::probe {

/// The guest's console, for the lines by which the host follows a boot. Never fails.
class Console {
 public:
  Console();

  /// "swaprig: TEXT"
  void say(std::string_view text) const;

 private:
  Descriptor m_console;
};

/// Says "swaprig: init failed: WHY" and powers off, so that the host sees an early exit rather than silence.
[[noreturn]] void give_up(const Console& console, std::string_view why);

[[noreturn]] void power_off();

}  // namespace swaprig::probe
