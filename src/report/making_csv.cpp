#include <algorithm>

#include "base/text.hpp"
#include "report/csv_parts.hpp"
#include "report/findings.hpp"
#include "stats/summary.hpp"

namespace swaprig::report {

namespace {

constexpr const char* k_making_columns =
    "experiment,batch,run,block,position,attempt,scenario,state,method,file_system,size_bytes,block_bytes,durable,timings,"
    "real_s,real_s_median,user_s_median,sys_s_median,unsupported\n";

std::vector<double> in_seconds(const std::vector<std::int64_t>& values, double unit) {
  std::vector<double> seconds;
  for (const auto value : values) seconds.push_back(static_cast<double>(value) / unit);
  return seconds;
}

std::string median_figure(const std::vector<std::int64_t>& values, double unit) {
  return values.empty() ? "" : csv_figure(std::optional(stats::median(in_seconds(values, unit))));
}

std::string making_row(const run::RunRecord& run, const guest::Creation& creation) {
  const auto real = in_seconds(creation.real_ns, 1e9);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(run.experiment),
                     csv_field(run.batch), csv_field(run.id), run.block, run.position, run.attempt, csv_field(run.arm),
                     run::to_string(run.state), csv_field(creation.method), csv_field(creation.file_system),
                     creation.size_bytes, creation.block_bytes > 0 ? fmt::format("{}", creation.block_bytes) : "",
                     creation.durable ? 1 : 0, real.size(), fmt::format("{}", fmt::join(real, " ")),
                     median_figure(creation.real_ns, 1e9), median_figure(creation.user_us, 1e6),
                     median_figure(creation.system_us, 1e6), csv_field(std::string(trim(creation.unsupported))));
}

}  // namespace

std::string to_makings_csv(const Subject& subject) {
  std::string text = k_making_columns;
  for (const auto* run : in_order(subject.runs)) {
    for (const auto& creation : run->evidence.creations) text += making_row(*run, creation);
  }
  return text;
}

}  // namespace swaprig::report
