#include "drive/simulated_counters.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "simdrive/model/histogram.hpp"

namespace swaprig::drive {

namespace {

using Json = nlohmann::json;

std::vector<Bucket> buckets_from(const Json& json) {
  std::vector<Bucket> buckets;
  for (const auto& pair : json) buckets.push_back({pair.at(0).get<std::int64_t>(), pair.at(1).get<std::int64_t>()});
  return buckets;
}

void read_model(const Json& json, SimulatedCounters& counters) {
  for (const auto& [name, one] : json.at("operations").items()) {
    counters.operations[name] = {one.at("requests"), one.at("bytes"), one.at("latency_ns"),
                                 buckets_from(one.at("size_histogram")), buckets_from(one.at("latency_histogram"))};
  }
  counters.busy_ns = json.at("busy_ns");
  counters.seek_ns = json.at("seek_ns");
  counters.rotation_ns = json.at("rotation_ns");
  counters.transfer_ns = json.at("transfer_ns");
  counters.queue_ns = json.at("queue_ns");
  counters.electronics_ns = json.at("electronics_ns");
  counters.read_hits = json.at("read_hits");
  counters.read_partial_hits = json.at("read_partial_hits");
  counters.write_hits = json.at("write_hits");
  counters.arm_reads = json.at("arm_reads");
  counters.arm_writes = json.at("arm_writes");
  counters.destaged_bytes = json.at("destaged_bytes");
  counters.distance_strokes = json.at("distance_strokes");
  for (const auto& one : json.at("regions")) {
    counters.regions.push_back(
        {one.at("name"), one.at("requests"), one.at("bytes_read"), one.at("bytes_written"), one.at("arm_ns")});
  }
  for (const auto& one : json.at("crossings")) {
    counters.crossings.push_back(
        {one.at("from"), one.at("to"), one.at("moves"), one.at("seek_ns"), one.at("rotation_ns")});
  }
}

void read_delivery(const Json& json, SimulatedCounters& counters) {
  counters.delivered = json.at("requests");
  counters.late_ns = json.at("late_ns");
  counters.lateness = buckets_from(json.at("lateness_histogram"));
  counters.floor_limited = json.at("floor_limited");
}

void read_backing(const Json& json, SimulatedCounters& counters) {
  counters.backing_errors = json.at("errors");
  counters.backing_full = json.at("full");
  counters.backing_slow = json.at("slow");
  counters.backing_longest_ns = json.at("longest_ns");
}

std::vector<Bucket> difference(const std::vector<Bucket>& before, const std::vector<Bucket>& after) {
  std::vector<Bucket> grown;
  for (const auto& bucket : after) {
    const auto old = std::find_if(before.begin(), before.end(), [&](const Bucket& b) { return b.least == bucket.least; });
    const auto count = bucket.count - (old == before.end() ? 0 : old->count);
    if (count != 0) grown.push_back({bucket.least, count});
  }
  return grown;
}

}  // namespace

SimulatedCounters parse_counters(const std::string& answer) {
  try {
    const auto json = Json::parse(answer);
    SimulatedCounters counters;
    counters.wall_ns = json.at("wall_ns");
    counters.time_scale = json.at("time_scale");
    counters.vanished = json.at("vanished");
    counters.realtime = json.at("realtime");
    counters.starvation_ns = json.at("starvation_ns");
    read_model(json.at("drive"), counters);
    read_delivery(json.at("delivery"), counters);
    read_backing(json.at("backing"), counters);
    return counters;
  } catch (const Json::exception& fault) {
    throw HostError(std::string("the counters of a simulated drive have another form: ") + fault.what());
  }
}

SimulatedCounters difference(const SimulatedCounters& before, const SimulatedCounters& after) {
  auto grown = after;
  for (auto& [name, one] : grown.operations) {
    const auto old = before.operations.find(name);
    if (old == before.operations.end()) continue;
    one.requests -= old->second.requests;
    one.bytes -= old->second.bytes;
    one.latency_ns -= old->second.latency_ns;
    one.sizes = difference(old->second.sizes, one.sizes);
    one.latencies = difference(old->second.latencies, one.latencies);
  }
  for (const auto member :
       {&SimulatedCounters::wall_ns, &SimulatedCounters::busy_ns, &SimulatedCounters::seek_ns,
        &SimulatedCounters::rotation_ns, &SimulatedCounters::transfer_ns, &SimulatedCounters::queue_ns,
        &SimulatedCounters::electronics_ns, &SimulatedCounters::read_hits, &SimulatedCounters::read_partial_hits,
        &SimulatedCounters::write_hits, &SimulatedCounters::arm_reads, &SimulatedCounters::arm_writes,
        &SimulatedCounters::destaged_bytes, &SimulatedCounters::delivered, &SimulatedCounters::late_ns,
        &SimulatedCounters::floor_limited, &SimulatedCounters::starvation_ns, &SimulatedCounters::backing_errors,
        &SimulatedCounters::backing_full, &SimulatedCounters::backing_slow}) {
    grown.*member -= before.*member;
  }
  grown.distance_strokes -= before.distance_strokes;
  grown.lateness = difference(before.lateness, grown.lateness);
  for (auto& region : grown.regions) {
    const auto old = std::find_if(before.regions.begin(), before.regions.end(),
                                  [&](const SimulatedRegion& r) { return r.name == region.name; });
    if (old == before.regions.end()) continue;
    region.requests -= old->requests;
    region.read_bytes -= old->read_bytes;
    region.written_bytes -= old->written_bytes;
    region.arm_ns -= old->arm_ns;
  }
  for (auto& crossing : grown.crossings) {
    const auto old =
        std::find_if(before.crossings.begin(), before.crossings.end(),
                     [&](const SimulatedCrossing& c) { return c.from == crossing.from && c.to == crossing.to; });
    if (old == before.crossings.end()) continue;
    crossing.moves -= old->moves;
    crossing.seek_ns -= old->seek_ns;
    crossing.rotation_ns -= old->rotation_ns;
  }
  return grown;
}

std::int64_t quantile(const std::vector<Bucket>& buckets, double share) {
  simdrive::Histogram histogram;
  for (const auto& bucket : buckets) histogram.add(static_cast<std::uint64_t>(bucket.least), static_cast<std::uint64_t>(bucket.count));
  return static_cast<std::int64_t>(histogram.quantile(share));
}

}  // namespace swaprig::drive
