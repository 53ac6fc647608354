#include "guest/probe_result.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "guest/moment_parser.hpp"
#include "guest/numbers.hpp"

namespace swaprig::guest {

namespace {

constexpr std::size_t k_most_samples = 100'000;
constexpr std::size_t k_most_messages = 10'000;

[[noreturn]] void broken(const std::string& what) { throw AgentError("the probe's result is broken: " + what); }

/// The summary's fields by key.
class Summary {
 public:
  explicit Summary(std::string_view text) {
    wire::Fields fields;
    if (!wire::decode_fields(text, fields)) broken("a line of the summary is not KEY=VALUE");
    for (auto& [key, value] : fields) m_fields[key] = std::move(value);
    if (number("version", 0, 1 << 30) != wire::k_version) broken("version " + printable_line(this->text("version")));
  }

  std::string text(const std::string& key) const {
    const auto found = m_fields.find(key);
    return found == m_fields.end() ? "" : found->second;
  }

  /// 0 when there is no such key.
  std::int64_t number(const std::string& key, std::int64_t low = 0, std::int64_t high = std::int64_t{1} << 53U) const {
    const auto found = m_fields.find(key);
    if (found == m_fields.end()) return 0;
    const auto value = to_integer(found->second);
    if (!value || *value < low || *value > high) broken(key + "=" + printable_line(found->second));
    return *value;
  }

  bool flag(const std::string& key) const { return number(key, 0, 1) == 1; }

 private:
  std::map<std::string, std::string> m_fields;
};

std::vector<Sample> parse_samples(std::string_view text) {
  std::vector<Sample> samples;
  auto lines = split(text, '\n');
  if (lines.empty() || lines.front() != wire::k_samples_header) broken("the samples have other columns");
  lines.erase(lines.begin());
  for (const auto& line : lines) {
    if (line.empty()) continue;
    const auto words = split_words(line);
    Sample sample;
    const std::array<std::int64_t*, 9> columns = {
        &sample.at_ms,          &sample.memory_available_kib, &sample.swap_used_kib,    &sample.swap_in_pages,
        &sample.swap_out_pages, &sample.tree_resident_kib,    &sample.tree_swapped_kib, &sample.memory_some_us,
        &sample.memory_full_us};
    if (words.size() != columns.size() || samples.size() == k_most_samples) broken("a sample: " + printable_line(line));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto value = to_integer(words[i]);
      if (!value || *value < 0) broken("a sample: " + printable_line(line));
      *columns[i] = *value;
    }
    samples.push_back(sample);
  }
  return samples;
}

std::vector<std::string> parse_messages(std::string_view text) {
  std::vector<std::string> messages;
  for (auto& line : split(text, '\n')) {
    if (line.empty()) continue;
    if (messages.size() == k_most_messages) break;
    messages.push_back(std::move(line));
  }
  return messages;
}

WorkloadEnd parse_end(const Summary& summary) {
  WorkloadEnd end;
  end.started = summary.flag("started");
  end.finished = summary.flag("finished");
  end.timed_out = summary.flag("timed_out");
  end.exit_status = static_cast<int>(summary.number("exit_status", 0, 255));
  end.signal = static_cast<int>(summary.number("signal", 0, 127));
  end.wall_ns = summary.number("wall_ns");
  end.user_us = summary.number("user_us");
  end.system_us = summary.number("system_us");
  end.major_faults = summary.number("major_faults");
  end.peak_resident_kib = summary.number("peak_resident_kib");
  // A workload shorter than a sample has only what the kernel counted.
  end.peak_memory_kib = std::max(summary.number("peak_memory_kib"), end.peak_resident_kib);
  end.error = summary.text("exec_error");
  if (end.error.empty()) end.error = summary.text("error");
  return end;
}

bool out_of_memory(const ProbeResult& result) {
  const auto kills = [](const GuestMoment& moment) {
    const auto found = moment.vmstat.find("oom_kill");
    return found == moment.vmstat.end() ? 0 : found->second;
  };
  // GHC says this when a child of it got SIGKILL, which in a guest of ours only the kernel sends.
  return kills(result.after) > kills(result.before) ||
         result.workload.output_tail.find("ExitFailure (-9)") != std::string::npos;
}

}  // namespace

ProbeResult parse_probe_result(std::string_view text) {
  if (text.size() > k_result_limit) broken(std::to_string(text.size()) + " bytes");
  wire::Sections sections;
  if (!wire::decode_sections(text, sections)) broken("a section is cut");
  if (sections.empty() || sections.front().first != "summary") broken("it does not begin with a summary");

  const Summary summary(sections.front().second);
  ProbeResult result;
  result.workload = parse_end(summary);
  result.command_not_executable = !summary.text("exec_error").empty();
  result.samples_lost = summary.number("samples_lost");
  result.sampler_us = summary.number("sampler_us");
  result.leftover_processes = summary.number("leftover_processes");
  result.kernel_messages_lost = summary.flag("kernel_lost");
  for (const auto& [name, body] : sections) {
    if (name == "before") result.before = parse_moment(body);
    if (name == "after") result.after = parse_moment(body);
    if (name == "samples") result.samples = parse_samples(body);
    if (name == "kernel") result.kernel_messages = parse_messages(body);
    if (name == "output") result.workload.output_tail = std::string(body);
  }
  result.workload.output_cut =
      summary.number("output_bytes") > static_cast<std::int64_t>(result.workload.output_tail.size());
  result.workload.out_of_memory = out_of_memory(result);
  return result;
}

}  // namespace swaprig::guest
