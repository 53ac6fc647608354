#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "report/page_parts.hpp"
#include "report/run_course.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

template <typename T, typename Words>
std::string or_dash(const std::optional<T>& value, Words words) {
  return value ? words(*value) : std::string(k_nothing);
}

std::string whole(std::int64_t count) { return fmt::format("{}", count); }

std::string bytes_in_words(double bytes) {
  return traffic_in_words(static_cast<std::int64_t>(std::clamp(bytes, 0.0, 9e18)));
}

std::string rate_in_words(double bytes_per_s) { return figure_in_words(bytes_per_s / (1024.0 * 1024.0)); }

Tree why_row(const Arm& arm) {
  const auto& work = *arm.work;
  Tree row;
  row.set("name", arm.label);
  row.set("block", fmt::format("{}", arm.scored->block));
  row.set("seconds", figure_in_words(arm.scored->wall_seconds()));
  row.set("in", traffic_in_words(work.swapped_in_bytes));
  row.set("out", traffic_in_words(work.swapped_out_bytes));
  row.set("some", or_dash(work.memory_some_s, figure_in_words));
  row.set("full", or_dash(work.memory_full_s, figure_in_words));
  row.set("faults", or_dash(work.major_faults, whole));
  return row;
}

/// Bytes and requests as the host counted them, else as the guest did.
Tree traffic_row(const Arm& arm, const DriveWork& drive) {
  const auto& counted_by = drive.host ? drive.host : drive.guest;
  const auto of = [](const std::optional<DriveTraffic>& side, auto figure, auto words) {
    return side ? words(figure(*side)) : std::string(k_nothing);
  };
  const auto ms = [](std::optional<double> value) { return or_dash(value, figure_in_words); };
  const auto reads_ms = [](const DriveTraffic& t) { return t.read_latency_ms(); };
  const auto writes_ms = [](const DriveTraffic& t) { return t.write_latency_ms(); };
  Tree row;
  row.set("name", arm.label);
  row.set("drive", drive.label);
  row.set("holds", drive.holds_swap ? "swap" : "");
  row.set("read", of(
                      counted_by, [](const auto& t) { return t.read_bytes; }, traffic_in_words));
  row.set("reads", of(
                       counted_by, [](const auto& t) { return t.reads; }, whole));
  row.set("guest_read", of(drive.guest, reads_ms, ms));
  row.set("host_read", of(drive.host, reads_ms, ms));
  row.set("written", of(
                         counted_by, [](const auto& t) { return t.written_bytes; }, traffic_in_words));
  row.set("writes", of(
                        counted_by, [](const auto& t) { return t.writes; }, whole));
  row.set("guest_write", of(drive.guest, writes_ms, ms));
  row.set("host_write", of(drive.host, writes_ms, ms));
  return row;
}

std::string part_of(std::int64_t part, std::int64_t all) { return fmt::format("{} of {}", part, all); }

std::string crossings_in_words(const ArmMoves& moves) {
  if (moves.moves == 0) return "none";
  return fmt::format("{} in {}", figure_in_words(moves.seconds()), counted(static_cast<int>(moves.moves), "move"));
}

Tree arm_row(const Arm& arm, const DriveWork& drive) {
  const auto& work = *drive.simulated;
  Tree row;
  row.set("name", arm.label);
  row.set("drive", drive.label);
  row.set("operations", whole(work.arm_operations));
  row.set("distance", or_dash(work.strokes_a_operation(), [](double mean) { return figure_in_words(1000 * mean); }));
  row.set("read_hits", part_of(work.read_hits, work.reads));
  row.set("partial_hits", whole(work.read_partial_hits));
  row.set("write_hits", part_of(work.write_hits, work.writes));
  return row;
}

/// What a drive without an arm cannot have is a dash.
Tree simulated_row(const Arm& arm, const DriveWork& drive) {
  const auto& work = *drive.simulated;
  Tree row;
  row.set("name", arm.label);
  row.set("drive", drive.label);
  row.set("busy", figure_in_words(work.busy_s));
  row.set("share", share_in_words(work.busy_share()));
  row.set("transfer", figure_in_words(work.transfer_s));
  row.set("queue", figure_in_words(work.queue_s));
  row.set("seek", work.rotates ? figure_in_words(work.seek_s) : k_nothing);
  row.set("rotation", work.rotates ? figure_in_words(work.rotation_s) : k_nothing);
  row.set("crossing", work.rotates ? crossings_in_words(work.crossings) : k_nothing);
  row.set("requests", whole(work.delivered));
  row.set("late_p99", figure_in_words(1000 * work.late_p99_s));
  row.set("late_share", share_in_words(work.late_share()));
  row.set("starvation", figure_in_words(work.starvation_s));
  row.set("floor", or_dash(work.floor_share(), share_in_words));
  row.set("floor_limited", work.is_floor_limited());
  return row;
}

std::string which_run(const Subject& subject) {
  return subject.experiment.runs.score == spec::Score::best ? "its best one" : "the one nearest its median";
}

/// “hdd” (times 2)
std::string scaled_drives(const Subject& subject) {
  std::vector<std::string> words;
  for (const auto& drive : subject.experiment.drives) {
    const auto* simulated = drive.simulated();
    if (simulated == nullptr || simulated->time_scale == 1) continue;
    words.push_back(fmt::format("{} (times {:g})", quoted(printable_line(drive.name)), simulated->time_scale));
  }
  return join(words, ", ");
}

void put_why(Tree& tree, const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> runs;
  std::vector<Tree> sentences;
  std::vector<Tree> drives;
  std::vector<Tree> simulated;
  std::vector<Tree> moves;
  for (const auto& arm : findings.arms) {
    if (!arm.work) continue;
    runs.push_back(why_row(arm));
    if (!arm.attribution.empty()) sentences.emplace_back(with_hard_spaces(arm.attribution));
    for (const auto& drive : arm.work->drives) {
      drives.push_back(traffic_row(arm, drive));
      if (!drive.simulated) continue;
      simulated.push_back(simulated_row(arm, drive));
      if (drive.simulated->rotates) moves.push_back(arm_row(arm, drive));
    }
  }
  put_list(tree, "why_runs", runs);
  put_list(tree, "why_sentences", sentences);
  put_list(tree, "why_drives", drives);
  put_list(tree, "why_simulated", simulated);
  put_list(tree, "why_arms", moves);
  tree.set("why_which", which_run(subject));
  const auto scaled = scaled_drives(subject);
  tree.set("has_scaled", !scaled.empty());
  tree.set("scaled", scaled);
  tree.set("chart_drive_time", chart_named(charts, "drive-time"));
}

Tree course_row(const Arm& arm, std::size_t& sampled) {
  const auto summary = summarise_course(course_of(arm.scored->evidence, std::numeric_limits<std::size_t>::max()));
  sampled += summary.samples > 0;
  Tree row;
  row.set("name", arm.label);
  row.set("block", fmt::format("{}", arm.scored->block));
  row.set("samples", summary.samples > 0 ? fmt::format("{}", summary.samples) : "none");
  row.set("memory", or_dash(summary.most_memory_bytes, bytes_in_words));
  row.set("swap", or_dash(summary.most_swap_bytes, bytes_in_words));
  row.set("in_mean", or_dash(summary.mean_in_bytes_per_s, rate_in_words));
  row.set("in_most", or_dash(summary.fastest_in_bytes_per_s, rate_in_words));
  row.set("out_mean", or_dash(summary.mean_out_bytes_per_s, rate_in_words));
  row.set("out_most", or_dash(summary.fastest_out_bytes_per_s, rate_in_words));
  return row;
}

void put_course(Tree& tree, const Findings& findings, const std::vector<DrawnChart>& charts) {
  const auto choice = choose_courses(findings);
  std::vector<Tree> rows;
  std::size_t sampled = 0;
  for (const auto* arm : choice.shown) rows.push_back(course_row(*arm, sampled));
  std::vector<std::string> others;
  for (const auto* arm : choice.left_out) others.push_back(quoted(arm->label));
  tree.set("has_course", !rows.empty());
  tree.set("course_sampled", sampled > 0);
  tree.set("course_unsampled", sampled == 0);
  put_list(tree, "courses", sampled > 0 ? rows : std::vector<Tree>{});
  tree.set("has_course_others", !others.empty() && sampled > 0);
  tree.set("course_others", join(others, ", "));
  tree.set("chart_course", chart_named(charts, "course"));
}

Tree order_row(const OrderedRun& one) {
  Tree row;
  row.set("place", fmt::format("{}", one.place));
  row.set("name", printable_line(one.run->arm));
  row.set("block", fmt::format("{}", one.run->block));
  row.set("attempt", fmt::format("{}", one.run->attempt));
  row.set("state", run::to_string(one.run->state));
  row.set("seconds", or_dash(one.seconds, [](double seconds) { return number(seconds, 3); }));
  return row;
}

void put_order(Tree& tree, const Subject& subject, const std::vector<DrawnChart>& charts) {
  std::vector<Tree> rows;
  for (const auto& one : run_order(subject)) rows.push_back(order_row(one));
  put_list(tree, "order", rows);
  tree.set("chart_order", chart_named(charts, "order"));
}

}  // namespace

void put_work(Tree& tree, const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts) {
  put_why(tree, subject, findings, charts);
  put_course(tree, findings, charts);
  put_order(tree, subject, charts);
}

}  // namespace swaprig::report
