#pragma once

#include "base/clock.hpp"

namespace swaprig::testing {

/// Time passes only when somebody sleeps.
class FakeClock final : public Clock {
 public:
  UtcTime utc() const override { return UtcTime{} + std::chrono::floor<std::chrono::milliseconds>(m_now); }
  std::chrono::nanoseconds monotonic() const override { return m_now; }
  void sleep(std::chrono::nanoseconds duration) override { m_now += duration; }

 private:
  std::chrono::nanoseconds m_now{std::chrono::hours(1)};
};

}  // namespace swaprig::testing
