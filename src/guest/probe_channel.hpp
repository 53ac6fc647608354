#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/duration.hpp"
#include "base/files.hpp"

namespace swaprig::guest {

/// The host's end of the probe's serial port. A thread of its own stamps each line when it arrives, so that the stamp
/// does not depend on what the caller is doing. What the guest sends is bounded: longer lines are cut, more are
/// dropped.
class ProbeChannel {
 public:
  static constexpr std::size_t k_line_limit = 256;
  static constexpr std::size_t k_most_lines = 1000;

  /// Connects to the UNIX socket that QEMU listens on, for at most five seconds; throws AgentError. `clock` has to
  /// outlive the channel and to be usable from two threads.
  ProbeChannel(const std::filesystem::path& socket, Clock& clock);
  ~ProbeChannel();
  ProbeChannel(const ProbeChannel&) = delete;
  ProbeChannel& operator=(const ProbeChannel&) = delete;

  /// The host's CLOCK_MONOTONIC when the line arrived. Takes the first such line behind those that earlier calls took.
  /// Nothing when it does not come within `limit`, the guest closes the channel, or `keep_waiting` (called about ten
  /// times a second; it may throw) says no.
  std::optional<Nanoseconds> wait_for(const std::string& line, std::chrono::nanoseconds limit,
                                      const std::function<bool()>& keep_waiting = {});

  /// QEMU has closed its end.
  bool closed() const;

 private:
  struct Line {
    std::string text;
    Nanoseconds arrived{0};
  };

  void receive();
  void take_bytes(const char* bytes, std::size_t count, Nanoseconds arrived);
  std::optional<Nanoseconds> take_line(const std::string& line);

  Clock& m_clock;
  Fd m_socket;
  Fd m_wake;                   ///< eventfd that ends the thread
  mutable std::mutex m_mutex;  ///< guards what follows
  std::condition_variable m_changed;
  std::vector<Line> m_lines;
  std::string m_part;  ///< of a line whose newline has not come yet
  std::size_t m_taken = 0;
  bool m_closed = false;
  std::thread m_thread;
};

}  // namespace swaprig::guest
