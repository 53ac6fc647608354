#include "report/attribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

struct Part {
  const char* name;
  double seconds;
};

std::vector<Part> parts_of(const SwapDriveTime& time) {
  return {{"rotation", time.rotation_s}, {"seek", time.seek_s}, {"transfer", time.transfer_s}};
}

bool has_arms_only(const SwapDriveTime& time) { return time.rotating == time.drives; }

std::string what_was_busy(const SwapDriveTime& time) {
  const bool one = time.drives == 1;
  if (has_arms_only(time)) return one ? "the arm" : "the arms";
  return one ? "its swap drive" : "its swap drives";
}

/// The weightiest first; parts that come to nothing are left out by `list_of`.
std::vector<Part> ordered(std::vector<Part> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return std::abs(a.seconds) > std::abs(b.seconds); });
  return parts;
}

std::string list_of(const std::vector<Part>& parts, std::string (*words)(double)) {
  std::vector<std::string> texts;
  for (const auto& part : ordered(parts)) {
    const auto size = words(part.seconds);
    if (size != "0 s") texts.push_back(size + " " + part.name);
  }
  return join(texts, ", ");
}

std::string plain_seconds(double seconds) { return figure_in_words(seconds) + " s"; }

/// "3.4 s longer", "0.2 s less"
std::string more_or_less(double difference) {
  const auto size = plain_seconds(std::abs(difference));
  if (size == "0 s") return "as long";
  return size + (difference > 0 ? " longer" : " less");
}

std::string own_time(const Arm& arm, const SwapDriveTime& time) {
  auto text = fmt::format("{} kept {} busy {} {} {}", quoted(arm.label), what_was_busy(time), plain_seconds(time.busy_s),
                          time.drives == 1 ? "of" : "together, in a run of", plain_seconds(arm.scored->wall_seconds()));
  if (!has_arms_only(time)) return text;
  const auto list = list_of(parts_of(time), plain_seconds);
  text += fmt::format("{}{}, in {} operations", list.empty() ? "" : ": ", list, time.arm_operations);
  if (time.crossings.moves > 0) {
    text += fmt::format("; {} of it between the file system and swap", plain_seconds(time.crossings.seconds()));
  }
  return text;
}

std::string operations(const SwapDriveTime& time, const SwapDriveTime& base) {
  if (time.arm_operations == base.arm_operations) return "as many operations of the arm";
  return fmt::format("{} operations of the arm instead of {}", time.arm_operations, base.arm_operations);
}

std::string against(const Arm& arm, const SwapDriveTime& time, const Arm& baseline, const SwapDriveTime& base) {
  const double difference = time.busy_s - base.busy_s;
  const bool as_long = more_or_less(difference) == "as long";
  auto text =
      fmt::format("{} kept {} busy {}, {} {} {}", quoted(arm.label), what_was_busy(time), plain_seconds(time.busy_s),
                  more_or_less(difference), as_long ? "as" : "than", quoted(baseline.label));
  if (has_arms_only(time) && has_arms_only(base)) {
    auto parts = parts_of(time);
    const auto others = parts_of(base);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].seconds -= others[i].seconds;
    const auto list = list_of(parts, signed_seconds);
    text += fmt::format("{}{}, in {}", list.empty() ? "" : ": ", list, operations(time, base));
  }
  const double whole = arm.scored->wall_seconds() - baseline.scored->wall_seconds();
  return text + fmt::format("; the workload took {}.", more_or_less(whole));
}

std::string latencies(const DriveWork& drive) {
  const auto& traffic = drive.guest ? drive.guest : drive.host;
  std::vector<std::string> words;
  const auto add = [&](std::optional<double> ms, const char* what) {
    if (ms) words.push_back(fmt::format("a {} took {} ms", what, figure_in_words(*ms)));
  };
  if (traffic) {
    add(traffic->read_latency_ms(), "read");
    add(traffic->write_latency_ms(), "write");
  }
  if (words.empty()) return {};
  return fmt::format("; on {} {} on average, as the {} saw it", quoted(drive.label), join(words, " and "),
                     drive.guest ? "guest" : "host");
}

std::string waiting(const Arm& arm) {
  const auto& work = *arm.work;
  const bool read = work.swapped_in_bytes && work.swapped_out_bytes;
  if (read && *work.swapped_in_bytes + *work.swapped_out_bytes == 0) {
    return fmt::format("{} swapped nothing.", quoted(arm.label));
  }
  auto text = read ? fmt::format("{} swapped {} in and {} out", quoted(arm.label),
                                 traffic_in_words(work.swapped_in_bytes), traffic_in_words(work.swapped_out_bytes))
                   : fmt::format("How much {} swapped was not read", quoted(arm.label));
  if (work.memory_some_s) {
    text += fmt::format("; some task waited for memory in {} of {}", plain_seconds(*work.memory_some_s),
                        plain_seconds(arm.scored->wall_seconds()));
  }
  for (const auto& drive : work.drives) {
    if (drive.holds_swap) text += latencies(drive);
  }
  return text + ".";
}

}  // namespace

std::string attribution(const Arm& arm, const Arm* baseline) {
  if (arm.scored == nullptr || !arm.work) return {};
  const auto time = swap_drive_time(*arm.work);
  if (!time) return waiting(arm);
  const auto base = baseline != nullptr && baseline->work ? swap_drive_time(*baseline->work) : std::nullopt;
  if (!base || baseline->name == arm.name) return own_time(arm, *time) + ".";
  return against(arm, *time, *baseline, *base);
}

}  // namespace swaprig::report
