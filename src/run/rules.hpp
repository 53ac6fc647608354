#pragma once

// The judge's rules, by the part of a run that they look at. Each adds what it finds, in no order; pure.

#include <string>
#include <utility>
#include <vector>

#include "run/judge.hpp"

namespace swaprig::run {

/// Collects reasons, and drops those that are there already.
class Findings {
 public:
  void add(const char* code, std::string text);

  std::vector<Reason> take() { return std::move(m_reasons); }

 private:
  std::vector<Reason> m_reasons;
};

/// Foreign swap at boot, read-backs, areas placed and settled.
void check_set_up(const Evidence& evidence, Findings& findings);

/// How the workload ended.
void check_ending(const Evidence& evidence, Findings& findings);

/// What has to be there to judge the window; a reading that is not is never taken for 0.
void check_readings(const Evidence& evidence, Findings& findings);

/// Swap traffic, its amount and its place.
void check_traffic(const Evidence& evidence, Findings& findings);

/// Whether every swap file was made, or why not; of the workload that makes swap files alone.
void check_creations(const Evidence& evidence, Findings& findings);

/// Clocks, idleness, memory and messages of the guest in the window.
void check_guest(const Evidence& evidence, Findings& findings);

/// Caching, allocation, swapping and I/O errors on the host in the window.
void check_host(const Evidence& evidence, Findings& findings);

}  // namespace swaprig::run
