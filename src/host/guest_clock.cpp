#include "host/guest_clock.hpp"

#include <x86intrin.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/files.hpp"
#include "base/text.hpp"
#include "host/host_readings.hpp"

namespace swaprig::host {
namespace {

using Time = std::chrono::steady_clock::time_point;

struct Reading {
  Time time;
  std::uint64_t ticks = 0;
};

/// The counter between two readings of the clock; the tightest of several, since any of them may be interrupted.
Reading read_both() {
  Reading best;
  auto tightest = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 50; ++i) {
    const Time before = std::chrono::steady_clock::now();
    const std::uint64_t ticks = __rdtsc();
    const Time after = std::chrono::steady_clock::now();
    if (after - before >= tightest) continue;
    tightest = after - before;
    best = {before + (after - before) / 2, ticks};
  }
  return best;
}

}  // namespace

std::optional<std::uint64_t> host_tsc_khz() {
  const std::string cpuinfo = try_read_file("/proc/cpuinfo").value_or("");
  if (!has_cpu_flag(cpuinfo, "constant_tsc") || !has_cpu_flag(cpuinfo, "nonstop_tsc")) return std::nullopt;
  const Reading start = read_both();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Reading end = read_both();
  const std::chrono::duration<double, std::milli> span = end.time - start.time;
  if (end.ticks <= start.ticks || span.count() <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<double>(end.ticks - start.ticks) / span.count() + 0.5);
}

std::string with_stable_clock(const std::string& kernel_arguments, Virtualisation virtualisation,
                              std::optional<std::uint64_t> tsc_khz) {
  if (virtualisation != Virtualisation::tcg || !tsc_khz) return kernel_arguments;
  const auto words = split_words(kernel_arguments);
  const bool named = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("tsc=") || word.starts_with("tsc_early_khz=") || word.starts_with("clocksource=");
  });
  if (named) return kernel_arguments;
  const std::string ours = "tsc_early_khz=" + std::to_string(*tsc_khz);
  return kernel_arguments.empty() ? ours : kernel_arguments + " " + ours;
}

}  // namespace swaprig::host
