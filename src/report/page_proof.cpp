#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "report/page_parts.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

using run::RunRecord;

constexpr std::size_t k_log_bytes = 4096;
constexpr std::size_t k_log_lines = 30;

/// The last lines, made visible; empty when there is nothing but white space.
std::string end_of(const std::string& log) {
  if (trim(log).empty()) return {};
  const auto lines = split(std::string(trim(printable(log, k_log_bytes))), '\n');
  const auto first = lines.size() > k_log_lines ? lines.size() - k_log_lines : 0;
  return join(std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end()), "\n");
}

void add_log(std::vector<Tree>& logs, const std::string& what, const std::string& log) {
  const auto text = end_of(log);
  if (text.empty()) return;
  Tree tree;
  tree.set("what", what);
  tree.set("log", text);
  tree.set("log_fenced", fenced(text, ""));
  logs.push_back(tree);
}

std::string place_of(const RunRecord& run) {
  return fmt::format("block {}, position {}, attempt {}", run.block, run.position, run.attempt);
}

Tree not_counted(const RunRecord& run, int index) {
  Tree tree;
  tree.set("index", fmt::format("{}", index));
  tree.set("id", printable_line(run.id));
  tree.set("name", printable_line(run.arm));
  tree.set("place", place_of(run));
  tree.set("state", run::to_string(run.state));
  std::vector<Tree> reasons;
  for (const auto& reason : run.reasons) {
    Tree one;
    one.set("code", printable_line(reason.code));
    one.set("text", printable_line(reason.text, 2000));
    one.set("has_text", !reason.text.empty());
    reasons.push_back(one);
  }
  put_list(tree, "reasons", reasons);
  std::vector<Tree> logs;
  add_log(logs, "end of the workload’s output", run.evidence.workload.output_tail);
  add_log(logs, "new kernel messages", join(run.evidence.kernel_messages, "\n"));
  add_log(logs, "end of the console", run.evidence.console_tail);
  put_list(tree, "logs", logs);
  tree.set("no_log", logs.empty());
  return tree;
}

/// What was seen for one name, and in which arms: one value when all agree, else each with its arms.
class Readings {
 public:
  void add(const std::string& name, const std::string& value, const std::string& arm) {
    if (value.empty()) return;
    if (m_values.count(name) == 0) m_names.push_back(name);
    auto& arms = m_values[name][value];
    if (std::find(arms.begin(), arms.end(), arm) == arms.end()) arms.push_back(arm);
  }

  std::vector<Tree> rows() const {
    std::vector<Tree> rows;
    for (const auto& name : m_names) {
      const auto& values = m_values.at(name);
      std::string text;
      for (const auto& [value, arms] : values) {
        if (!text.empty()) text += "; ";
        text += printable_line(value, 2000);
        if (values.size() > 1) text += " (" + printable_line(join(arms, ", ")) + ")";
      }
      Tree row;
      row.set("fact", printable_line(name));
      row.set("value", text);
      rows.push_back(row);
    }
    return rows;
  }

 private:
  std::vector<std::string> m_names;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> m_values;
};

void add_readings(Readings& readings, const RunRecord& run) {
  const auto& evidence = run.evidence;
  const auto add = [&](const std::string& name, const std::string& value) { readings.add(name, value, run.arm); };
  add("acceleration", evidence.acceleration == "tcg"   ? "TCG (emulated CPU)"
                      : evidence.acceleration == "kvm" ? "KVM"
                                                       : "");
  add("QEMU and libvirt", evidence.versions);
  add("host kernel", evidence.host_kernel);
  add("guest kernel", evidence.guest_kernel);
  add("kernel arguments", evidence.kernel_command_line);
  add("O_DIRECT", run::direct_io_word(evidence));
  if (evidence.memory_bytes > 0) add("guest memory", exact(Bytes{static_cast<std::uint64_t>(evidence.memory_bytes)}));
  add("clock source", evidence.guest_before.clocksource);
  for (const auto& [name, value] : evidence.guest_settings) add(name, value);
  for (const auto& read_back : evidence.read_backs) add(read_back.what, read_back.found);
}

void put_measured_on(Tree& tree, const Subject& subject) {
  Readings host;
  for (const auto& [name, value] : subject.host_facts) host.add(name, value, "");
  put_list(tree, "host_facts", host.rows());

  Readings guest;
  for (const auto* run : in_order(subject.runs)) {
    if (run->state == run::State::valid) add_readings(guest, *run);
  }
  put_list(tree, "guest_facts", guest.rows());

  std::map<std::string, const guest::GuestDrive*> drives;
  for (const auto& run : subject.runs) {
    for (const auto& drive : run.evidence.guest_drives) drives[drive.drive] = &drive;
  }
  std::vector<Tree> rows;
  for (const auto& [name, drive] : drives) {
    Tree row;
    row.set("drive", printable_line(name));
    row.set("device", printable_line(drive->device));
    row.set("serial", printable_line(drive->serial));
    row.set("size", exact(Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(drive->size_bytes, 0))}));
    row.set("rotational", drive->rotational ? "yes" : "no");
    row.set("scheduler", printable_line(drive->scheduler));
    row.set("read_ahead", fmt::format("{}", drive->read_ahead_kib));
    row.set("sectors", fmt::format("{} / {}", drive->logical_sector_bytes, drive->physical_sector_bytes));
    rows.push_back(row);
  }
  put_list(tree, "guest_drives", rows);
}

void put_repeat(Tree& tree, const Subject& subject) {
  const auto file = printable_line(subject.experiment.name) + ".toml";
  const auto toml = printable(subject.experiment.text);
  tree.set("file", file);
  tree.set("command", fmt::format("swaprig run {} --again", file));
  tree.set("seed", fmt::format("{}", subject.experiment.runs.seed));
  tree.set("image", printable_line(subject.experiment.guest.image));
  tree.set("image_digest", printable_line(subject.image_digest));
  tree.set("toml", toml);
  tree.set("toml_fenced", fenced(toml, "toml"));
}

}  // namespace

std::string fenced(const std::string& text, const std::string& language) {
  std::size_t longest = 2;
  std::size_t here = 0;
  for (const char c : text) {
    here = c == '`' ? here + 1 : 0;
    longest = std::max(longest, here);
  }
  const std::string fence(longest + 1, '`');
  const char* end = text.ends_with('\n') || text.empty() ? "" : "\n";
  return fmt::format("{}{}\n{}{}{}", fence, language, text, end, fence);
}

void put_proof(Tree& tree, const Subject& subject, const Findings& findings) {
  std::vector<Tree> runs;
  for (const auto* run : findings.not_counted) runs.push_back(not_counted(*run, static_cast<int>(runs.size()) + 1));
  put_list(tree, "not_counted", runs);
  tree.set("all_counted", findings.not_counted.empty());
  put_measured_on(tree, subject);
  put_repeat(tree, subject);
  tree.set("run_count", counted(static_cast<int>(subject.runs.size()), "run"));
}

}  // namespace swaprig::report
