#pragma once

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "simdrive/model/drive_model.hpp"
#include "simdrive/model/geometry.hpp"
#include "simdrive/model/track_buffer.hpp"
#include "simdrive/model/write_cache.hpp"

namespace swaprig::simdrive {

/// A drive with one arm. At most `queue_depth` commands are inside at once, the others wait with the host. What the
/// track buffer or the write cache can serve is served at once; for the rest the arm takes the command that it
/// reaches first, unless one has waited longer than the age limit. A movement that has begun is not broken off.
/// Idle, or every other time when the cache is nearly full or a flush waits, the arm destages the write cache.
class Hdd final : public DriveModel {
 public:
  Hdd(const DriveParameters& parameters, RegionMap regions);

  void submit(const Request& request, Time now) override;
  void advance(Time now) override;
  std::optional<Time> next_event() const override;

  const Platter& platter() const { return *m_platter; }

 private:
  struct Command {
    Request request;
    Time arrival{0};
    Time ready{0};  ///< inside the drive and understood by its controller
  };
  struct Flush {
    Command command;
    std::uint64_t sequence = 0;
  };
  struct Move {
    std::uint64_t from = 0;
    Time seek{0};
    Time rotation{0};
    Time positioning() const { return seek + rotation; }
  };

  void step(Time now);
  void settle_written(Time now);
  void admit(Time now);
  void enter(const Command& command, Time now);
  bool serve_from_buffer(const Command& command, Time now);
  void serve_hits(Time now);
  void absorb(const Command& command, Time now);
  void finish(const Command& command, Time due);

  void dispatch(Time now);
  bool must_destage() const;
  std::size_t choose(Time now) const;
  void execute(const Command& command, Time now);
  void destage(Time now);
  Time positioning_of(const Command& command, Time now) const;
  Move move_to(std::uint64_t target, bool write, Time start) const;
  void use_arm(std::uint64_t offset, std::uint64_t length, bool write, Time start);

  std::uint64_t first_missing(const Request& request, Time now) const;
  std::size_t inside() const;
  Time over_interface(std::uint64_t length) const;

  HddParameters m_hdd;
  std::size_t m_depth;
  std::uint64_t m_sector;
  std::unique_ptr<Platter> m_platter;
  TrackBuffer m_buffer;
  WriteCache m_cache;

  std::deque<Command> m_outside;   ///< with the host, for want of a slot
  std::vector<Command> m_waiting;  ///< for the arm, in the order in which they entered
  std::deque<Command> m_blocked;   ///< writes that wait for room in the cache
  std::vector<Flush> m_flushes;
  std::multiset<Time> m_decided;  ///< when the commands that are decided, but not yet done, are due

  Time m_arm_free{0};
  std::uint64_t m_head = 0;  ///< the byte that was under the head last before m_arm_free
  std::size_t m_region = 0;  ///< where the arm was used last
  bool m_destaged_last = false;
  Time m_interface_free{0};
};

}  // namespace swaprig::simdrive
