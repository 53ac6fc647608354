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
inline constexpr int k_judge_version = 1;

struct Reason {
  std::string code;    ///< "no swap traffic"
  std::string text;    ///< with the figures that led to it

  friend bool operator==(const Reason&, const Reason&) = default;
};

struct Verdict {
  State state = State::valid;
  std::vector<Reason> reasons;    ///< in the order of the table; the first is shown

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// One row of the judge's table: a code and the state that it leads to.
struct Rule {
  const char* code;
  State state;
};

/// Every reason there is, most important first.
std::span<const Rule> rules();

/// Pure: evidence in, verdict out; never looks at how long the workload took.
Verdict judge(const Evidence& evidence);

}  // namespace swaprig::run
