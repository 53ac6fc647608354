#include "report/run_course.hpp"

#include <algorithm>
#include <set>

namespace swaprig::report {

namespace {

constexpr double k_course_page_bytes = 4096;
constexpr double k_course_kib = 1024;
constexpr std::size_t k_most_courses = 8;

std::vector<run::Sample> forward_in_time(const std::vector<run::Sample>& samples) {
  std::vector<run::Sample> kept;
  for (const auto& sample : samples) {
    if (sample.at_ms >= 0 && (kept.empty() || sample.at_ms > kept.back().at_ms)) kept.push_back(sample);
  }
  return kept;
}

std::vector<run::Sample> thinned(const std::vector<run::Sample>& samples, std::size_t limit) {
  if (samples.size() <= limit) return samples;
  std::vector<run::Sample> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(samples[i * (samples.size() - 1) / (limit - 1)]);
  return kept;
}

std::optional<double> rate(std::int64_t before, std::int64_t after, double seconds) {
  if (after < before || seconds <= 0) return std::nullopt;
  return static_cast<double>(after - before) * k_course_page_bytes / seconds;
}

CoursePoint point_of(const run::Sample& sample, std::optional<std::int64_t> total_kib) {
  CoursePoint point;
  point.at_s = static_cast<double>(sample.at_ms) / 1e3;
  if (total_kib) point.memory_used_bytes = k_course_kib * static_cast<double>(*total_kib - sample.memory_available_kib);
  point.swap_used_bytes = k_course_kib * static_cast<double>(sample.swap_used_kib);
  return point;
}

std::optional<std::int64_t> total_memory_kib(const run::Evidence& evidence) {
  const auto found = evidence.guest_before.meminfo_kib.find("MemTotal");
  if (found == evidence.guest_before.meminfo_kib.end()) return std::nullopt;
  return found->second;
}

void raise(std::optional<double>& most, std::optional<double> value) {
  if (value) most = std::max(most.value_or(*value), *value);
}

/// Rates weighted by the time that they hold for.
std::optional<double> mean_rate(const std::vector<CoursePoint>& points, std::optional<double> CoursePoint::*rate) {
  double sum = 0;
  double time = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!(points[i].*rate)) continue;
    const double span = points[i].at_s - points[i - 1].at_s;
    sum += *(points[i].*rate) * span;
    time += span;
  }
  if (time <= 0) return std::nullopt;
  return sum / time;
}

}  // namespace

std::vector<CoursePoint> course_of(const run::Evidence& evidence, std::size_t limit) {
  const auto samples = thinned(forward_in_time(evidence.samples), limit);
  const auto total = total_memory_kib(evidence);
  std::vector<CoursePoint> points;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    points.push_back(point_of(samples[i], total));
    if (i == 0) continue;
    const double seconds = static_cast<double>(samples[i].at_ms - samples[i - 1].at_ms) / 1e3;
    points[i].swap_in_bytes_per_s = rate(samples[i - 1].swap_in_pages, samples[i].swap_in_pages, seconds);
    points[i].swap_out_bytes_per_s = rate(samples[i - 1].swap_out_pages, samples[i].swap_out_pages, seconds);
  }
  return points;
}

CourseSummary summarise_course(const std::vector<CoursePoint>& points) {
  CourseSummary summary;
  summary.samples = points.size();
  for (const auto& point : points) {
    raise(summary.most_memory_bytes, point.memory_used_bytes);
    raise(summary.most_swap_bytes, point.swap_used_bytes);
    raise(summary.fastest_in_bytes_per_s, point.swap_in_bytes_per_s);
    raise(summary.fastest_out_bytes_per_s, point.swap_out_bytes_per_s);
  }
  summary.mean_in_bytes_per_s = mean_rate(points, &CoursePoint::swap_in_bytes_per_s);
  summary.mean_out_bytes_per_s = mean_rate(points, &CoursePoint::swap_out_bytes_per_s);
  return summary;
}

CourseChoice choose_courses(const Findings& findings) {
  std::vector<const Arm*> timed;
  for (const auto& arm : findings.arms) {
    if (arm.scored != nullptr) timed.push_back(&arm);
  }
  std::set<const Arm*> chosen;
  if (!timed.empty()) chosen = {timed.front(), timed.back()};
  for (const auto* arm : timed) {
    if (arm->baseline) chosen.insert(arm);
  }
  for (const auto* arm : timed) {
    if (chosen.size() < k_most_courses) chosen.insert(arm);
  }
  CourseChoice choice;
  for (const auto* arm : timed) (chosen.count(arm) != 0 ? choice.shown : choice.left_out).push_back(arm);
  return choice;
}

std::vector<OrderedRun> run_order(const Subject& subject) {
  auto runs = in_order(subject.runs);
  std::erase_if(runs, [](const auto* run) { return run->state == run::State::planned; });
  std::stable_sort(runs.begin(), runs.end(), [](const auto* a, const auto* b) { return a->started < b->started; });
  std::vector<OrderedRun> order;
  for (const auto* run : runs) {
    OrderedRun one{static_cast<int>(order.size()) + 1, run, std::nullopt};
    if (run->evidence.workload.finished) one.seconds = run->wall_seconds();
    order.push_back(one);
  }
  return order;
}

}  // namespace swaprig::report
