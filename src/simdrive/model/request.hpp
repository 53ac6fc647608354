#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

namespace swaprig::simdrive {

/// A moment of the simulation, counted from its start, or a span of it. The model owns no clock.
using Time = std::chrono::nanoseconds;

inline double in_seconds(Time time) { return std::chrono::duration<double>(time).count(); }
inline Time from_seconds(double seconds) { return Time{std::llround(seconds * 1e9)}; }

enum class Operation { read, write, zero, trim, flush };

/// One command of the host. `id` is the caller's and comes back in the completion.
struct Request {
  std::uint64_t id = 0;
  Operation operation = Operation::read;
  std::uint64_t offset = 0;  ///< bytes; the caller checks that the range lies on the drive
  std::uint64_t length = 0;  ///< bytes; 0 for a flush
  bool fua = false;          ///< done only when it is on the medium

  std::uint64_t end() const { return offset + length; }
};

/// What the model decided: the host sees the request done at `due`, which may lie in the future.
struct Completion {
  std::uint64_t id = 0;
  Time due{0};
};

}  // namespace swaprig::simdrive
