#include <limits>

#include "report/json_parts.hpp"
#include "report/run_course.hpp"

namespace swaprig::report {

namespace {

Json traffic_of(const std::optional<DriveTraffic>& traffic) {
  if (!traffic) return nullptr;
  return {{"reads", traffic->reads},     {"read_bytes", traffic->read_bytes},
          {"read_s", traffic->read_s},   {"read_latency_ms_mean", or_null(traffic->read_latency_ms())},
          {"writes", traffic->writes},   {"written_bytes", traffic->written_bytes},
          {"write_s", traffic->write_s}, {"write_latency_ms_mean", or_null(traffic->write_latency_ms())}};
}

/// What only a drive with an arm has is null for others.
Json arm_figures_of(const SimulatedWork& work) {
  if (!work.rotates) return nullptr;
  return {{"seek_s", work.seek_s},
          {"rotation_s", work.rotation_s},
          {"operations", work.arm_operations},
          {"distance_strokes_mean", or_null(work.strokes_a_operation())},
          {"read_hits", work.read_hits},
          {"read_partial_hits", work.read_partial_hits},
          {"write_hits", work.write_hits},
          {"crossings",
           {{"moves", work.crossings.moves},
            {"seek_s", work.crossings.seek_s},
            {"rotation_s", work.crossings.rotation_s}}}};
}

Json simulated_of(const std::optional<SimulatedWork>& work) {
  if (!work) return nullptr;
  return {{"time_scale", work->time_scale},
          {"window_s", work->window_s},
          {"busy_s", work->busy_s},
          {"busy_share", work->busy_share()},
          {"transfer_s", work->transfer_s},
          {"queue_s", work->queue_s},
          {"reads", work->reads},
          {"writes", work->writes},
          {"requests", work->delivered},
          {"arm", arm_figures_of(*work)},
          {"late_p99_s", work->late_p99_s},
          {"late_s", work->late_s},
          {"late_share", work->late_share()},
          {"starvation_s", work->starvation_s},
          {"floor_limited_share", or_null(work->floor_share())},
          {"floor_limited", work->is_floor_limited()}};
}

Json drive_of(const DriveWork& drive) {
  return {{"drive", drive.name},
          {"holds_swap", drive.holds_swap},
          {"guest", traffic_of(drive.guest)},
          {"host", traffic_of(drive.host)},
          {"simulated", simulated_of(drive.simulated)}};
}

}  // namespace

Json why_of(const Arm& arm) {
  if (arm.scored == nullptr || !arm.work) return nullptr;
  const auto& work = *arm.work;
  Json drives = Json::array();
  for (const auto& drive : work.drives) drives.push_back(drive_of(drive));
  return {{"run", arm.scored->id},
          {"block", arm.scored->block},
          {"wall_s", arm.scored->wall_seconds()},
          {"text", arm.attribution},
          {"swapped_in_bytes", or_null(work.swapped_in_bytes)},
          {"swapped_out_bytes", or_null(work.swapped_out_bytes)},
          {"memory_some_s", or_null(work.memory_some_s)},
          {"memory_full_s", or_null(work.memory_full_s)},
          {"major_faults", or_null(work.major_faults)},
          {"drives", drives}};
}

Json course_json(const Arm& arm) {
  if (arm.scored == nullptr) return nullptr;
  Json points = Json::array();
  for (const auto& point : course_of(arm.scored->evidence, std::numeric_limits<std::size_t>::max())) {
    points.push_back({{"at_s", point.at_s},
                      {"memory_used_bytes", or_null(point.memory_used_bytes)},
                      {"swap_used_bytes", point.swap_used_bytes},
                      {"swap_in_bytes_per_s", or_null(point.swap_in_bytes_per_s)},
                      {"swap_out_bytes_per_s", or_null(point.swap_out_bytes_per_s)}});
  }
  return points;
}

}  // namespace swaprig::report
