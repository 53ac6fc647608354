#include "simdrive/plugin/counters_json.hpp"

#include <array>
#include <cmath>

namespace swaprig::simdrive {

namespace {

constexpr std::array k_operations{std::pair{Operation::read, "read"}, std::pair{Operation::write, "write"},
                                  std::pair{Operation::zero, "zero"}, std::pair{Operation::trim, "trim"},
                                  std::pair{Operation::flush, "flush"}};

Json histogram_json(const Histogram& histogram, double scale = 1) {
  Json buckets = Json::array();
  for (std::size_t i = 0; i < Histogram::k_buckets; ++i) {
    if (histogram.count(i) == 0) continue;
    const auto least = std::llround(static_cast<double>(Histogram::lower_bound(i)) * scale);
    buckets.push_back({least, histogram.count(i)});
  }
  return buckets;
}

}  // namespace

Json model_json(const Counters& counters, double time_scale) {
  const auto ns = [&](Time time) { return std::llround(static_cast<double>(time.count()) * time_scale); };
  Json json;
  for (const auto& [operation, name] : k_operations) {
    const OperationCounters& one = counters[operation];
    json["operations"][name] = {{"requests", one.requests},
                                {"bytes", one.bytes},
                                {"latency_ns", ns(one.latency)},
                                {"size_histogram", histogram_json(one.sizes)},
                                {"latency_histogram", histogram_json(one.latencies, time_scale)}};
  }
  json["busy_ns"] = ns(counters.busy);
  json["seek_ns"] = ns(counters.seek);
  json["rotation_ns"] = ns(counters.rotation);
  json["transfer_ns"] = ns(counters.transfer);
  json["queue_ns"] = ns(counters.queue);
  json["electronics_ns"] = ns(counters.electronics);
  json["read_hits"] = counters.read_hits;
  json["read_partial_hits"] = counters.read_partial_hits;
  json["write_hits"] = counters.write_hits;
  json["arm_reads"] = counters.arm_reads;
  json["arm_writes"] = counters.arm_writes;
  json["destaged_bytes"] = counters.destaged_bytes;
  json["distance_strokes"] = counters.distance;
  json["distance_bytes"] = counters.distance_bytes;
  json["regions"] = Json::array();
  json["crossings"] = Json::array();
  const std::size_t count = counters.regions.size();
  for (std::size_t from = 0; from < count; ++from) {
    const RegionCounters& region = counters.by_region[from];
    json["regions"].push_back({{"name", counters.regions.name(from)},
                               {"requests", region.requests},
                               {"bytes_read", region.bytes_read},
                               {"bytes_written", region.bytes_written},
                               {"arm_ns", ns(region.arm)}});
    for (std::size_t to = 0; to < count; ++to) {
      const CrossingCounters& crossing = counters.crossings[from * count + to];
      if (crossing.moves == 0) continue;
      json["crossings"].push_back({{"from", counters.regions.name(from)},
                                   {"to", counters.regions.name(to)},
                                   {"moves", crossing.moves},
                                   {"seek_ns", ns(crossing.seek)},
                                   {"rotation_ns", ns(crossing.rotation)}});
    }
  }
  return json;
}

Json delivery_json(const DeliveryCounters& counters) {
  return {{"requests", counters.requests},
          {"late_ns", counters.late.total().count()},
          {"lateness_p99_ns", counters.lateness.quantile(0.99)},
          {"lateness_histogram", histogram_json(counters.lateness)},
          {"modelled_histogram", histogram_json(counters.modelled)},
          {"delivered_histogram", histogram_json(counters.delivered)},
          {"floor_limited", counters.floor_limited}};
}

Json backing_json(const Backing::Counters& counters) {
  return {{"errors", counters.errors},
          {"full", counters.full},
          {"slow", counters.slow},
          {"longest_ns", counters.longest_ns}};
}

}  // namespace swaprig::simdrive
