#pragma once

namespace swaprig {

/// Prints the broken expectation and aborts; in release builds too.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace swaprig

#define SWAPRIG_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::swaprig::assertion_failed(#expression, __FILE__, __LINE__))
