#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "run/evidence.hpp"
#include "run/judge.hpp"

namespace swaprig::run {

/// One observation, as it is stored for good.
struct RunRecord {
  std::string id;  ///< unique, sortable by start: "20261130t192139-4f2a-b1p3a1"
  std::string experiment;
  std::string batch;
  int block = 0;
  int position = 0;
  int attempt = 1;  ///< from 1
  std::string arm;  ///< scenario name, or the A/A name
  std::string scenario;
  State state = State::planned;
  std::vector<Reason> reasons;
  int judge_version = k_judge_version;
  UtcTime started{};
  UtcTime ended{};
  Evidence evidence;

  /// Seconds of the workload on the guest's clock; only meaningful when it finished.
  double wall_seconds() const { return static_cast<double>(evidence.workload.wall_ns) / 1e9; }
};

/// The evidence as JSON text, every field, names as in the struct; and back. Unknown fields are ignored, missing ones
/// or null ones keep their default, a wrong type throws Error. A text of the guest that is no UTF-8 is stored as
/// {"base64": "..."} and comes back byte for byte.
std::string evidence_to_json(const Evidence& evidence);
Evidence evidence_from_json(const std::string& text);

/// Traffic in the window in pages of 4096 bytes; nothing when a reading is missing.
std::optional<std::int64_t> swap_in_pages(const Evidence& evidence);
std::optional<std::int64_t> swap_out_pages(const Evidence& evidence);

/// "unknown", "yes", "no", "simulated"
std::string to_string(DirectIo result);

/// "yes", "no", "simulated" over all drives (the worst of them), "unknown" without a reading.
std::string direct_io_word(const Evidence& evidence);

/// The host's duration of the window in seconds.
std::optional<double> host_wall_seconds(const Evidence& evidence);

/// Where runs go, durably: when `record` returns, the run survives a power cut.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  virtual void begin(const RunRecord& run) = 0;   ///< state running
  virtual void record(const RunRecord& run) = 0;  ///< final state, replaces the running row
};

}  // namespace swaprig::run
