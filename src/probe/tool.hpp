#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace swaprig::probe {

/// What something took: CLOCK_MONOTONIC, and the CPU time of the process that did it.
struct Timing {
  std::int64_t real_ns = 0;
  std::int64_t user_us = 0;
  std::int64_t system_us = 0;
};

struct ToolEnd {
  int status = 0;     ///< exit status, or 128 + signal
  std::string words;  ///< the end of stdout and stderr, without white space around it
  Timing timing;      ///< from before the fork until the tool was waited for
};

/// Forks, executes, waits. Throws Failure when there is no such program, or no process to be had.
ToolEnd run_tool(const std::vector<std::string>& command);

/// Runs from its making to `stop` on the clock of the calling process.
class Stopwatch {
 public:
  Stopwatch();
  Timing stop() const;

 private:
  std::int64_t m_start_ns;
  Timing m_used;  ///< CPU time before
};

Timing operator+(Timing a, Timing b);

}  // namespace swaprig::probe
