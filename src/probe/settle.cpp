#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "probe/modes.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr std::int64_t k_ns_per_ms = 1'000'000;
constexpr std::int64_t k_poll_ms = 50;

struct Options {
  std::vector<std::string> devices;
  std::uint64_t idle_ms = 1000;
  std::uint64_t limit_ms = 60'000;
};

Options parse(int argc, char** argv) {
  constexpr std::uint64_t k_longest_ms = 24ULL * 3600 * 1000;
  Options options;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto idle = option_value(argument, "idle-ms");
    const auto limit = option_value(argument, "limit-ms");
    if (const auto devices = option_value(argument, "devices")) {
      for (auto rest = *devices; !rest.empty();) {
        const auto end = std::min(rest.find(','), rest.size());
        options.devices.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    } else if (idle || limit) {
      const auto number = to_number(idle ? *idle : *limit);
      if (!number || *number > k_longest_ms) throw Failure("not a time in ms: " + std::string(argument));
      (idle ? options.idle_ms : options.limit_ms) = *number;
    } else {
      throw Failure("unknown argument " + std::string(argument));
    }
  }
  if (options.devices.empty()) throw Failure("no device named");
  return options;
}

/// The counters of all devices as one text: it changes with every request, and names requests in flight.
struct Activity {
  std::string counters;
  bool in_flight = false;
};

Activity activity_of(const std::vector<std::string>& devices) {
  Activity activity;
  for (const auto& device : devices) {
    const std::string folder = "/sys/class/block/" + device;
    const auto counters = read_text(folder + "/stat");
    if (!counters) fail("cannot read the statistics of " + device);
    activity.counters += *counters;
    const auto in_flight = read_text(folder + "/inflight").value_or("");
    if (in_flight.find_first_of("123456789") != std::string::npos) activity.in_flight = true;
  }
  return activity;
}

bool wait_until_idle(const Options& options) {
  const std::int64_t begin = monotonic_ns();
  std::int64_t quiet_since = begin;
  std::string last = activity_of(options.devices).counters;
  while (true) {
    const auto now = monotonic_ns();
    const auto activity = activity_of(options.devices);
    if (activity.in_flight || activity.counters != last) quiet_since = now;
    last = activity.counters;
    if (now - quiet_since >= static_cast<std::int64_t>(options.idle_ms) * k_ns_per_ms) return true;
    if (now - begin >= static_cast<std::int64_t>(options.limit_ms) * k_ns_per_ms) return false;
    sleep_ms(k_poll_ms);
  }
}

long long ms_since(std::int64_t begin) { return (monotonic_ns() - begin) / k_ns_per_ms; }

}  // namespace

int settle_mode(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto begin = monotonic_ns();
  sync();
  std::printf("sync_ms=%lld\n", ms_since(begin));
  const int error = write_text("/proc/sys/vm/drop_caches", "3");
  if (error != 0) throw Failure(with_reason("cannot drop the caches", error));
  const auto waiting = monotonic_ns();
  const bool reached = wait_until_idle(options);
  std::printf("idle_ms_waited=%lld\nreached=%d\n", ms_since(waiting), reached ? 1 : 0);
  return 0;
}

}  // namespace swaprig::probe
