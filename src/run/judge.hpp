#pragma once

#include <span>
#include <string>
#include <vector>

#include "run/evidence.hpp"

namespace swaprig::run {

enum class State { planned, running, valid, invalid, failed, unsupported, aborted };

std::string to_string(State state);
/// Asserts that the text is a state.
State state_from(const std::string& text);

/// Raised whenever a rule changes; stored with every run.
inline constexpr int k_judge_version = 3;

struct Reason {
  std::string code;  ///< "no swap traffic"
  std::string text;  ///< with the figures that led to it

  friend bool operator==(const Reason&, const Reason&) = default;
};

struct Verdict {
  State state = State::valid;
  std::vector<Reason> reasons;  ///< in the order of the table; the first is shown

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// One row of the judge's table: a code and the state that it leads to.
struct Rule {
  const char* code;
  State state;
};

/// Every reason there is, most important first; all codes of one state stand together: aborted, failed, unsupported,
/// invalid.
std::span<const Rule> rules();

/// Whether a Failure may carry the code.
bool is_reason_code(const std::string& code);

/// What of the set-up is not as planned: foreign swap at boot, read-backs, and, of the readings that there are, the
/// areas placed and settled. A runner may stop on it and hand it on as failures: the judge drops doubles. Pure.
std::vector<Reason> set_up_faults(const Evidence& evidence);

/// How `found` of /proc/swaps differs from exactly `expected`, in words; empty when it does not. Sizes may differ by a
/// page of 4 KiB, priorities below 0 are the kernel's own. Pure.
std::string swap_difference(const std::vector<SwapLine>& expected, const std::vector<SwapLine>& found);

/// Pure: evidence in, verdict out; never looks at how long the workload took. Asserts that every failure's code is in
/// the table. The texts are safe to show: what the guest sent is escaped in them.
Verdict judge(const Evidence& evidence);

}  // namespace swaprig::run
