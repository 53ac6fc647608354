#include "run/judge.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "run/rules.hpp"

namespace swaprig::run {

namespace {

constexpr std::array k_rules{
    Rule{"interrupted", State::aborted},

    // the machine
    Rule{"panic", State::failed},
    Rule{"silent boot", State::failed},
    Rule{"early exit", State::failed},
    Rule{"drive lost", State::failed},
    Rule{"backing full", State::failed},
    Rule{"guest paused", State::failed},
    Rule{"agent lost", State::failed},
    Rule{"machine", State::failed},
    // the set-up
    Rule{"set-up not as planned", State::failed},
    Rule{"set-up failed", State::failed},
    Rule{"prepare failed", State::failed},
    // the workload
    Rule{"command not found", State::failed},
    Rule{"out of memory", State::failed},
    Rule{"timeout", State::failed},
    Rule{"memory contents wrong", State::failed},
    Rule{"touched less than asked", State::failed},
    Rule{"file system full", State::failed},
    Rule{"killed by signal", State::failed},
    Rule{"exit status", State::failed},
    Rule{"workload lost", State::failed},
    Rule{"verify failed", State::failed},

    Rule{"unsupported", State::unsupported},

    // what was measured is not what was meant
    Rule{"no swap traffic", State::invalid},
    Rule{"swap where none is meant", State::invalid},
    Rule{"foreign swap", State::invalid},
    Rule{"swap areas changed", State::invalid},
    Rule{"swap went elsewhere", State::invalid},
    Rule{"memory not as planned", State::invalid},
    // something disturbed it
    Rule{"new I/O errors", State::invalid},
    Rule{"neighbours changed", State::invalid},
    Rule{"host caching", State::invalid},
    Rule{"host allocation", State::invalid},
    Rule{"host swapped", State::invalid},
    Rule{"drives not idle", State::invalid},
    // it was not measured well
    Rule{"simulation late", State::invalid},
    Rule{"simulation disagrees", State::invalid},
    Rule{"clocks disagree", State::invalid},
    Rule{"clocksource changed", State::invalid},
    Rule{"readings missing", State::invalid},
};

struct StateName {
  State state;
  const char* name;
};

constexpr std::array k_state_names{
    StateName{State::planned, "planned"}, StateName{State::running, "running"},
    StateName{State::valid, "valid"},     StateName{State::invalid, "invalid"},
    StateName{State::failed, "failed"},   StateName{State::unsupported, "unsupported"},
    StateName{State::aborted, "aborted"},
};

/// Asserts that the code is in the table.
const Rule* rule_of(const std::string& code) {
  const auto* const found =
      std::find_if(k_rules.begin(), k_rules.end(), [&](const Rule& rule) { return code == rule.code; });
  SWAPRIG_ASSERT(found != k_rules.end());
  return found;
}

}  // namespace

std::string to_string(State state) {
  const auto* const found = std::find_if(k_state_names.begin(), k_state_names.end(),
                                         [&](const StateName& name) { return name.state == state; });
  SWAPRIG_ASSERT(found != k_state_names.end());
  return found->name;
}

State state_from(const std::string& text) {
  const auto* const found = std::find_if(k_state_names.begin(), k_state_names.end(),
                                         [&](const StateName& name) { return name.name == text; });
  SWAPRIG_ASSERT(found != k_state_names.end());
  return found->state;
}

std::span<const Rule> rules() { return k_rules; }

bool is_reason_code(const std::string& code) {
  return std::any_of(k_rules.begin(), k_rules.end(), [&](const Rule& rule) { return code == rule.code; });
}

std::vector<Reason> set_up_faults(const Evidence& evidence) {
  Findings findings;
  check_set_up(evidence, findings);
  return findings.take();
}

Verdict judge(const Evidence& evidence) {
  Findings findings;
  for (const auto& failure : evidence.failures) findings.add(rule_of(failure.code)->code, printable(failure.text));
  check_set_up(evidence, findings);
  check_ending(evidence, findings);
  if (evidence.workload.finished) {
    check_readings(evidence, findings);
    check_traffic(evidence, findings);
    check_creations(evidence, findings);
    check_guest(evidence, findings);
    check_host(evidence, findings);
  }

  Verdict verdict{State::valid, findings.take()};
  std::stable_sort(verdict.reasons.begin(), verdict.reasons.end(),
                   [](const Reason& a, const Reason& b) { return rule_of(a.code) < rule_of(b.code); });
  if (!verdict.reasons.empty()) verdict.state = rule_of(verdict.reasons.front().code)->state;
  return verdict;
}

void Findings::add(const char* code, std::string text) {
  Reason reason{code, std::move(text)};
  if (std::find(m_reasons.begin(), m_reasons.end(), reason) == m_reasons.end()) m_reasons.push_back(std::move(reason));
}

}  // namespace swaprig::run
