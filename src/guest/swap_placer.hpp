#pragma once

#include <map>
#include <string>
#include <vector>

#include "guest/guest_agent.hpp"
#include "guest/guest_facts.hpp"
#include "guest/observations.hpp"
#include "spec/placement.hpp"

namespace swaprig::guest {

/// This file system, kernel or drive cannot do what the scenario asks: the run is unsupported, not failed.
class Unsupported : public Error {
 public:
  explicit Unsupported(const std::string& text) : Error(text, ExitCode::ok) {}
};

/// A step of the set-up failed; `reason` is one of the judge's codes.
class SetupFailure : public Error {
 public:
  SetupFailure(std::string reason, const std::string& text)
      : Error(text, ExitCode::runs_failed), m_reason(std::move(reason)) {}

  const std::string& reason() const { return m_reason; }

 private:
  std::string m_reason;
};

/// One area of a scenario with everything that placing it takes.
struct PlannedSwap {
  spec::SwapArea area;
  std::vector<spec::PlacementStep> steps;
  spec::ExpectedSwap expected;
};

/// Asks the kinds of placement; asserts that each exists.
std::vector<PlannedSwap> plan_swap(const std::vector<spec::SwapArea>& areas, const spec::GuestPaths& paths);

struct StepTime {
  std::string what;    ///< "write the file: /swapfile"
  double seconds = 0;  ///< on the guest's clock
};

struct Placed {
  std::vector<SwapLine> swaps;  ///< /proc/swaps afterwards, as planned
  std::vector<PlacedArea> areas;
  std::vector<StepTime> steps;
};

/// Makes areas in a running guest, switches them off and on. Each method throws Unsupported, SetupFailure, AgentError.
class SwapPlacer {
 public:
  SwapPlacer(GuestAgent& agent, std::vector<PlannedSwap> plan) : m_agent(agent), m_plan(std::move(plan)) {}

  /// Runs every step in order and compares /proc/swaps with the plan. `facts` has its drives named.
  Placed place(const GuestFacts& facts);

  /// Each planned area off and on again, exactly as planned, and nothing else; returns /proc/swaps, compared again.
  std::vector<SwapLine> reset();

  /// Each planned area off; returns the seconds it took on the guest's clock.
  double switch_off();

  /// /proc/swaps as it is.
  std::vector<SwapLine> read_swaps();

  std::vector<SwapLine> expected_lines() const;

 private:
  double run(const spec::PlacementStep& step, const std::string& path);
  std::vector<SwapLine> check_swaps();
  PlacedArea locate(const PlannedSwap& planned, const GuestFacts& facts);

  GuestAgent& m_agent;
  std::vector<PlannedSwap> m_plan;
};

}  // namespace swaprig::guest
