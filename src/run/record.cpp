#include "run/record.hpp"

#include <algorithm>

#include "run/readings.hpp"

namespace swaprig::run {

namespace {

/// Worst last: one drive that is not direct makes the whole run not direct.
int badness(DirectIo result) {
  switch (result) {
    case DirectIo::yes:
      return 0;
    case DirectIo::simulated:
      return 1;
    case DirectIo::unknown:
      return 2;
    case DirectIo::no:
      return 3;
  }
  return 2;
}

}  // namespace

std::optional<std::int64_t> swap_in_pages(const Evidence& evidence) { return vmstat_growth(evidence, "pswpin"); }

std::optional<std::int64_t> swap_out_pages(const Evidence& evidence) { return vmstat_growth(evidence, "pswpout"); }

std::string direct_io_word(const Evidence& evidence) {
  const auto worst = std::max_element(
      evidence.direct_io.begin(), evidence.direct_io.end(),
      [](const DirectIoProof& a, const DirectIoProof& b) { return badness(a.result) < badness(b.result); });
  return to_string(worst == evidence.direct_io.end() ? DirectIo::unknown : worst->result);
}

std::optional<double> host_wall_seconds(const Evidence& evidence) {
  if (!evidence.host_window_ns) return std::nullopt;
  return static_cast<double>(*evidence.host_window_ns) / 1e9;
}

}  // namespace swaprig::run
