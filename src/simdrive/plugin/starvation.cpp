#include "simdrive/plugin/starvation.hpp"

#include <filesystem>
#include <fstream>

namespace swaprig::simdrive {

std::uint64_t Starvation::sample() {
  const std::lock_guard lock(m_mutex);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(entry.path() / "schedstat");
    std::uint64_t running = 0;
    std::uint64_t waiting = 0;
    if (file >> running >> waiting) m_by_thread[std::stoi(entry.path().filename())] = waiting;
  }
  std::uint64_t sum = 0;
  for (const auto& [thread, waiting] : m_by_thread) sum += waiting;
  return sum;
}

}  // namespace swaprig::simdrive
