#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace swaprig::simdrive {

/// The sparse file that keeps the drive's bytes. What was written is pushed to the host's disk all the time, so that
/// no heap of dirty pages ever stalls a request. Nothing waits for it: after a crash of the host the data are gone.
class Backing {
 public:
  struct Counters {
    std::uint64_t errors = 0;  ///< requests that failed, ENOSPC most of all
    std::uint64_t full = 0;    ///< of these: no space left
    std::uint64_t slow = 0;    ///< requests that took the host longer than 10 ms
    std::uint64_t longest_ns = 0;
  };

  /// Opens the file, which is made when it is missing and has to have this size otherwise; an empty path: memory. More than
  /// `room` bytes are never taken of the host, but for what is written between two looks (16 MiB); 0: no such bound.
  /// Throws std::runtime_error.
  Backing(const std::string& path, std::uint64_t size, std::uint64_t room = 0);
  ~Backing();
  Backing(const Backing&) = delete;
  Backing& operator=(const Backing&) = delete;

  /// Starts the pushing; after the server's fork.
  void start();

  /// Each returns 0 or an error number.
  int read(void* buffer, std::uint64_t count, std::uint64_t offset);
  int write(const void* buffer, std::uint64_t count, std::uint64_t offset);
  int zero(std::uint64_t count, std::uint64_t offset);
  int trim(std::uint64_t count, std::uint64_t offset);

  Counters counters() const;

 private:
  template <typename Call>
  int timed(Call call);
  /// Whether the room is used up; looks only now and then.
  bool is_full(std::uint64_t count);
  int write_zeroes(std::uint64_t count, std::uint64_t offset);
  void push_dirty_pages();

  int m_fd = -1;
  std::uint64_t m_room;
  std::atomic<std::uint64_t> m_since_look{0};
  std::atomic<bool> m_room_used{false};
  bool m_in_memory = false;
  std::atomic<std::uint64_t> m_unpushed{0};
  std::atomic<std::uint64_t> m_errors{0};
  std::atomic<std::uint64_t> m_full{0};
  std::atomic<std::uint64_t> m_slow{0};
  std::atomic<std::uint64_t> m_longest{0};
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_stopping = false;
  std::thread m_pusher;
};

}  // namespace swaprig::simdrive
