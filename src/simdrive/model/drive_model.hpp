#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simdrive/model/counters.hpp"
#include "simdrive/model/parameters.hpp"
#include "simdrive/model/request.hpp"

namespace swaprig::simdrive {

/// A drive as a function of time: no clock, no input or output, no threads. The caller tells what time it is; times
/// never go back. What happened inside between two calls happened at its own exact moments, however late the call.
class DriveModel {
 public:
  explicit DriveModel(RegionMap regions) : m_counters(std::move(regions)) {}
  virtual ~DriveModel() = default;

  /// A command arrives.
  virtual void submit(const Request& request, Time now) = 0;
  /// Lets everything happen that is due until `now`.
  virtual void advance(Time now) = 0;
  /// When the drive decides something next by itself; nothing while it waits for commands.
  virtual std::optional<Time> next_event() const = 0;

  /// The commands decided since the last call, in the order of the decisions.
  std::vector<Completion> take_completions() { return std::exchange(m_completions, {}); }
  const Counters& counters() const { return m_counters; }
  /// RegionMap::extend, from now on.
  bool extend_region(const Region& extent) { return m_counters.regions.extend(extent); }

 protected:
  void complete(const Request& request, Time arrival, Time due) {
    m_counters.count_completion(request, due - arrival);
    m_completions.push_back({request.id, due});
  }

  Counters m_counters;

 private:
  std::vector<Completion> m_completions;
};

/// `parameters` have no faults (faults_of).
std::unique_ptr<DriveModel> make_drive_model(const DriveParameters& parameters, RegionMap regions);

}  // namespace swaprig::simdrive
