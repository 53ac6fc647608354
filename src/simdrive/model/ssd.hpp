#pragma once

#include <queue>
#include <set>
#include <vector>

#include "simdrive/model/drive_model.hpp"

namespace swaprig::simdrive {

/// A flash drive: a command takes a channel for its latency, then its data goes over the read or write path, one
/// command's data after the other's. At most `queue_depth` commands are inside.
class Ssd final : public DriveModel {
 public:
  Ssd(const DriveParameters& parameters, RegionMap regions);

  void submit(const Request& request, Time now) override;
  void advance(Time) override {}
  std::optional<Time> next_event() const override { return std::nullopt; }

 private:
  Time enter(Time now);
  Time transfer(const Request& request, Time ready);
  void count_busy(Time from, Time until);

  SsdParameters m_ssd;
  std::size_t m_depth;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> m_channels;  ///< when each is free
  std::multiset<Time> m_inside;                                             ///< when the commands inside are done
  Time m_read_path{0};
  Time m_write_path{0};
  Time m_last_write{0};
  Time m_busy_until{0};
};

}  // namespace swaprig::simdrive
