#pragma once

#include <chrono>
#include <string>

namespace swaprig {

using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;

  virtual UtcTime utc() const = 0;
  /// CLOCK_MONOTONIC of the host since an arbitrary point.
  virtual std::chrono::nanoseconds monotonic() const = 0;
  virtual void sleep(std::chrono::nanoseconds duration) = 0;
};

class SystemClock final : public Clock {
 public:
  UtcTime utc() const override;
  std::chrono::nanoseconds monotonic() const override;
  void sleep(std::chrono::nanoseconds duration) override;
};

/// "2026-11-30T19:21:39.123Z"
std::string iso8601(UtcTime time);

/// The inverse; throws Error when the text has another form.
UtcTime parse_iso8601(const std::string& text);

}  // namespace swaprig
