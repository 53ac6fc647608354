#include "report/run_figures.hpp"

#include "report/why.hpp"

namespace swaprig::report {

namespace {

std::optional<double> phase_seconds(const run::Evidence& evidence, const std::string& name) {
  std::optional<double> seconds;
  for (const auto& phase : evidence.phases) {
    if (phase.name == name) seconds = seconds.value_or(0) + phase.seconds;
  }
  return seconds;
}

std::optional<std::string> moment(UtcTime time) {
  if (time == UtcTime{}) return std::nullopt;
  return iso8601(time);
}

}  // namespace

RunFigures figures_of(const run::RunRecord& run, const spec::Experiment& experiment) {
  const auto& evidence = run.evidence;
  const auto& workload = evidence.workload;
  RunFigures figures;
  if (workload.finished) {
    figures.wall_s = run.wall_seconds();
    figures.user_s = static_cast<double>(workload.user_us) / 1e6;
    figures.sys_s = static_cast<double>(workload.system_us) / 1e6;
    figures.major_faults = workload.major_faults;
  }
  if (workload.peak_memory_kib > 0) figures.peak_memory_bytes = workload.peak_memory_kib * 1024;
  figures.host_wall_s = run::host_wall_seconds(evidence);
  figures.pswpin_pages = run::swap_in_pages(evidence);
  figures.pswpout_pages = run::swap_out_pages(evidence);
  figures.boot_s = phase_seconds(evidence, "boot");
  figures.place_swap_s = phase_seconds(evidence, "place swap");
  figures.settle_s = phase_seconds(evidence, "settle");
  if (evidence.swapoff_seconds >= 0) figures.swapoff_s = evidence.swapoff_seconds;
  if (const auto time = swap_drive_time(work_of(experiment, run))) figures.drive_busy_s = time->busy_s;
  figures.o_direct = run::direct_io_word(evidence);
  figures.started_utc = moment(run.started);
  figures.ended_utc = moment(run.ended);
  return figures;
}

}  // namespace swaprig::report
