#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace swaprig::simdrive {

/// How long the server's threads were ready to run and got no CPU (schedstat). Threads that ended count with what was
/// seen of them last.
class Starvation {
 public:
  /// ns, summed over threads.
  std::uint64_t sample();

 private:
  std::mutex m_mutex;
  std::map<int, std::uint64_t> m_by_thread;
};

}  // namespace swaprig::simdrive
