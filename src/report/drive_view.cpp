#include "report/drive_view.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace swaprig::report {

namespace {

/// The run whose evidence shows where an arm's areas lay: the last valid one, else the last that placed anything.
const run::RunRecord* shown_run(const std::vector<const run::RunRecord*>& runs, const std::string& arm) {
  const run::RunRecord* shown = nullptr;
  for (const auto* run : runs) {
    if (run->arm != arm || run->evidence.areas.empty()) continue;
    const bool better = shown == nullptr || run->state == run::State::valid || shown->state != run::State::valid;
    if (better) shown = run;
  }
  return shown;
}

std::vector<guest::DiskRange> on_drive(const std::vector<guest::DiskRange>& ranges, const std::string& drive) {
  std::vector<guest::DiskRange> found;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(found), [&](const auto& range) {
    return range.drive == drive && range.size_bytes > 0 && range.offset_bytes >= 0;
  });
  return found;
}

void add_swaps(DriveView& view, const Arm& arm, const spec::Scenario& scenario, const run::RunRecord* run) {
  for (std::size_t i = 0; i < scenario.swap.size(); ++i) {
    const auto& area = scenario.swap[i];
    if (area.where.drive != view.name) continue;
    DriveSwap swap;
    swap.arm = arm.label;
    swap.kind = printable_line(area.kind);
    swap.where = printable_line(area.file.empty() ? area.where.partition : area.file);
    if (run != nullptr && i < run->evidence.areas.size())
      swap.extents = on_drive(run->evidence.areas[i].extents, view.name);
    view.swaps.push_back(std::move(swap));
  }
}

}  // namespace

std::vector<DriveView> drive_views(const Subject& subject, const Findings& findings) {
  const auto runs = in_order(subject.runs);
  std::vector<DriveView> views;
  for (const auto& drive : subject.experiment.drives) {
    DriveView view;
    view.name = drive.name;
    view.layout = drive::lay_out(drive.partitions, drive.size());
    for (const auto& arm : findings.arms) {
      if (!arm.aa) add_swaps(view, arm, subject.experiment.scenario(arm.scenario), shown_run(runs, arm.name));
    }
    for (const auto* run : runs) {
      if (auto data = on_drive(run->evidence.root_data, drive.name); !data.empty()) view.root_data = std::move(data);
    }
    views.push_back(std::move(view));
  }
  return views;
}

std::int64_t position_of_share(const std::vector<guest::DiskRange>& ranges, double share) {
  auto ordered = ranges;
  std::sort(ordered.begin(), ordered.end(),
            [](const auto& a, const auto& b) { return a.offset_bytes < b.offset_bytes; });
  double total = 0;
  for (const auto& range : ordered) total += static_cast<double>(range.size_bytes);
  SWAPRIG_ASSERT(total > 0);
  double left = share * total;
  for (const auto& range : ordered) {
    const auto size = static_cast<double>(range.size_bytes);
    if (left <= size) return range.offset_bytes + static_cast<std::int64_t>(left);
    left -= size;
  }
  return ordered.back().offset_bytes + ordered.back().size_bytes;
}

}  // namespace swaprig::report
