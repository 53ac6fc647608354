#include "report/making.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "plan/plan.hpp"
#include "report/findings.hpp"
#include "spec/creation.hpp"
#include "stats/summary.hpp"

namespace swaprig::report {

namespace {

using Runs = std::vector<const run::RunRecord*>;

constexpr std::size_t k_reason_limit = 300;

std::uint64_t unsigned_of(std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)); }

std::vector<double> scaled(const std::vector<std::int64_t>& values, double unit) {
  std::vector<double> result;
  for (const auto value : values) result.push_back(static_cast<double>(value) * unit);
  return result;
}

std::optional<double> median_or_nothing(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

std::string label_of(const guest::Creation& creation) {
  auto label = creation.method;
  if (creation.block_bytes > 0) label += ", " + exact(Bytes{unsigned_of(creation.block_bytes)}) + " blocks";
  if (creation.method == wire::k_bare_call) label = "bare call " + label;
  return creation.durable ? label + ", fsync" : label;
}

int rank_of(const std::string& method) {
  if (method == wire::k_by_fallocate) return 0;
  return method == wire::k_bare_call ? 1 : 2;
}

void add_boot(MadeFile& file, const guest::Creation& creation, std::size_t boot) {
  if (!creation.unsupported.empty()) {
    file.unsupported = printable_line(trim(creation.unsupported), k_reason_limit);
    return;
  }
  const auto seconds = scaled(creation.real_ns, 1e-9);
  if (seconds.empty()) return;
  file.observations.push_back(stats::median(seconds));
  file.boots.push_back(boot);
  file.user_s.push_back(median_or_nothing(scaled(creation.user_us, 1e-6)).value_or(0));
  file.sys_s.push_back(median_or_nothing(scaled(creation.system_us, 1e-6)).value_or(0));
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  file.fastest = file.timings == 0 ? *least : std::min(file.fastest, *least);
  file.slowest = std::max(file.slowest, *most);
  file.timings += static_cast<int>(seconds.size());
}

/// A file that could not be made in one boot counts in none.
void finish(MadeFile& file) {
  if (!file.unsupported.empty()) file.observations.clear();
  file.seconds = median_or_nothing(file.observations);
  if (!file.seconds) return;
  file.user = median_or_nothing(file.user_s);
  file.sys = median_or_nothing(file.sys_s);
}

using LineKey = std::tuple<bool, int, std::int64_t>;  // durable, rank of the method, block

void fill_lines(Making& making, const Runs& runs) {
  std::map<LineKey, MakingLine> lines;
  std::map<LineKey, std::map<std::uint64_t, MadeFile>> files;
  std::map<LineKey, std::vector<std::vector<stats::SizedTime>>> boots;
  for (std::size_t boot = 0; boot < runs.size(); ++boot) {
    for (const auto& creation : runs[boot]->evidence.creations) {
      if (making.file_system.empty()) making.file_system = printable_line(creation.file_system);
      if (creation.method == wire::k_control) continue;
      const LineKey key{creation.durable, rank_of(creation.method), creation.block_bytes};
      const auto size = unsigned_of(creation.size_bytes);
      auto& line = lines[key];
      line.method = creation.method;
      line.block = unsigned_of(creation.block_bytes);
      line.durable = creation.durable;
      line.control = spec::is_control(creation.method);
      line.label = label_of(creation);
      auto& file = files[key][size];
      file.size = size;
      add_boot(file, creation, boot);
      making.sizes.push_back(size);
    }
  }
  for (auto& [key, line] : lines) {
    std::vector<std::vector<stats::SizedTime>> observed(runs.size());
    for (auto& [size, file] : files[key]) {
      finish(file);
      for (std::size_t i = 0; i < file.observations.size(); ++i) {
        observed[file.boots[i]].push_back({static_cast<double>(size), file.observations[i]});
      }
      line.files.push_back(file);
    }
    line.growth = stats::growth(observed);
    making.lines.push_back(std::move(line));
  }
  std::sort(making.sizes.begin(), making.sizes.end());
  making.sizes.erase(std::unique(making.sizes.begin(), making.sizes.end()), making.sizes.end());
}

void fill_control(Making& making, const Runs& runs) {
  MadeFile control;
  for (std::size_t boot = 0; boot < runs.size(); ++boot) {
    for (const auto& creation : runs[boot]->evidence.creations) {
      if (creation.method == wire::k_control) add_boot(control, creation, boot);
    }
  }
  finish(control);
  making.control_s = control.seconds;
  making.control_fastest = control.fastest;
  making.control_slowest = control.slowest;
}

std::string why_nothing_was_made(const Runs& all) {
  if (all.empty()) return "no run was made";
  const auto& run = *all.back();
  auto words = run::to_string(run.state);
  if (!run.reasons.empty()) {
    const auto& reason = run.reasons.front();
    // "unsupported: unsupported: ..." would say it twice.
    if (reason.code != words) words += ": " + reason.code;
    if (!reason.text.empty()) words += ": " + printable_line(reason.text, k_reason_limit);
  }
  return words;
}

Making making_of(const Subject& subject, const std::string& arm) {
  Runs all;
  Runs valid;
  for (const auto* run : in_order(subject.runs)) {
    if (run->arm != arm || run->state == run::State::planned) continue;
    all.push_back(run);
    if (run->state == run::State::valid) valid.push_back(run);
  }
  Making making;
  making.name = arm;
  making.label = printable_line(arm);
  making.runs = static_cast<int>(valid.size());
  fill_lines(making, valid);
  fill_control(making, valid);
  if (making.lines.empty()) making.blank_because = why_nothing_was_made(all);
  return making;
}

}  // namespace

const MadeFile* MakingLine::of_size(std::uint64_t size) const {
  const auto found = std::find_if(files.begin(), files.end(), [&](const MadeFile& file) { return file.size == size; });
  return found == files.end() ? nullptr : &*found;
}

const MakingLine* Making::line(const std::string& method, std::uint64_t block, bool durable) const {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const MakingLine& one) {
    return one.method == method && one.block == block && one.durable == durable;
  });
  return found == lines.end() ? nullptr : &*found;
}

std::vector<MakingRatio> Making::ratios(bool durable) const {
  const auto* reserved = line(wire::k_by_fallocate, 0, durable);
  std::vector<MakingRatio> result;
  for (const auto size : sizes) {
    const auto* file = reserved != nullptr ? reserved->of_size(size) : nullptr;
    if (file == nullptr || !file->seconds || *file->seconds <= 0) continue;
    std::optional<MakingRatio> best;
    for (const auto& one : lines) {
      const auto* written = one.method == wire::k_by_dd && one.durable == durable ? one.of_size(size) : nullptr;
      if (written == nullptr || !written->seconds) continue;
      if (!best || *written->seconds < best->dd_s) best = {size, one.block, *written->seconds, *file->seconds};
    }
    if (best) result.push_back(*best);
  }
  return result;
}

bool Making::has(bool durable) const {
  return std::any_of(lines.begin(), lines.end(), [&](const MakingLine& one) {
    return one.durable == durable &&
           std::any_of(one.files.begin(), one.files.end(), [](const MadeFile& file) { return file.seconds; });
  });
}

std::vector<DdRate> dd_rates(const Making& making, bool durable) {
  std::uint64_t largest = 0;
  for (const auto& line : making.lines) {
    if (line.method != wire::k_by_dd || line.durable != durable) continue;
    for (const auto& file : line.files) {
      if (file.seconds) largest = std::max(largest, file.size);
    }
  }
  std::vector<DdRate> rates;
  for (const auto& line : making.lines) {
    if (line.method != wire::k_by_dd || line.durable != durable) continue;
    const auto* file = line.of_size(largest);
    if (file == nullptr || !file->seconds || *file->seconds <= 0) continue;
    rates.push_back({line.block, static_cast<double>(largest) / *file->seconds});
  }
  return rates;
}

std::vector<Making> find_makings(const Subject& subject) {
  std::vector<Making> makings;
  const auto& experiment = subject.experiment;
  if (!experiment.workload.creation) return makings;
  for (const auto& scenario : experiment.scenarios) {
    makings.push_back(making_of(subject, scenario.name));
    if (experiment.runs.aa && scenario.name == experiment.baseline) {
      makings.push_back(making_of(subject, scenario.name + plan::k_aa_suffix));
    }
  }
  return makings;
}

}  // namespace swaprig::report
