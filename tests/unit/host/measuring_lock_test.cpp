#include "host/measuring_lock.hpp"

#include <unistd.h>

#include <optional>
#include <string>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;

TEST_CASE("one swaprig measures at a time, and the next learns which") {
  const auto name = "swaprig test " + std::to_string(::getpid());
  std::optional<host::MeasuringLock> first(name);
  std::string message;
  try {
    host::MeasuringLock second(name);
  } catch (const HostError& error) {
    message = error.what();
  }
  CHECK(message.find("process " + std::to_string(::getpid())) != std::string::npos);
  first.reset();
  CHECK_NOTHROW(host::MeasuringLock(name));
}
