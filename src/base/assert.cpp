#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace swaprig {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "swaprig: internal error: expected %s (%s:%d)\n", expression, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace swaprig
