#include "guest/probe_commands.hpp"

#include <map>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "guest/numbers.hpp"

namespace swaprig::guest {

namespace {

constexpr std::chrono::seconds k_short_timeout{120};
constexpr std::size_t k_most_extents = 100'000;

wire::Fields fields_of(std::string_view text, const std::string& mode) {
  wire::Fields fields;
  if (!wire::decode_fields(text, fields)) throw AgentError("the probe's answer to " + mode + " is broken");
  return fields;
}

std::int64_t number(const std::string& text, const std::string& mode) {
  const auto value = to_integer(text);
  if (!value || *value < 0) throw AgentError("the probe's answer to " + mode + " is broken: " + printable_line(text));
  return *value;
}

std::string ask(GuestAgent& agent, const std::vector<std::string>& arguments, std::chrono::seconds timeout) {
  std::vector<std::string> command = {wire::k_probe_path};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = agent.exec(command, timeout);
  if (result.timed_out) throw AgentError("the probe did not finish " + arguments.front() + " in time");
  if (result.status != 0) throw AgentError("in the guest: " + printable_line(result.err));
  return result.out;
}

}  // namespace

StepResult run_step(GuestAgent& agent, const std::vector<std::string>& command, std::chrono::seconds timeout) {
  std::vector<std::string> whole = {wire::k_probe_path, "step"};
  whole.insert(whole.end(), command.begin(), command.end());
  const auto result = agent.exec(whole, timeout);
  StepResult step{result.status, result.timed_out, result.err, Seconds(0)};
  wire::Fields fields;
  wire::decode_fields(result.out, fields);
  for (const auto& [key, value] : fields) {
    if (key == "step_ns") step.duration = std::chrono::nanoseconds(number(value, "step"));
  }
  return step;
}

Settled settle(GuestAgent& agent, const std::vector<std::string>& devices, std::chrono::milliseconds idle,
               std::chrono::milliseconds limit) {
  constexpr std::chrono::minutes k_sync_limit{30};  // of dirty pages, before the waiting begins
  const auto text = ask(agent,
                        {"settle", "--devices=" + join(devices, ","), "--idle-ms=" + std::to_string(idle.count()),
                         "--limit-ms=" + std::to_string(limit.count())},
                        std::chrono::duration_cast<std::chrono::seconds>(limit) + k_sync_limit);
  return parse_settled(text);
}

Settled parse_settled(std::string_view text) {
  const std::string mode = "settle";
  std::map<std::string, std::int64_t> values;
  for (const auto& [key, value] : fields_of(text, mode)) values[key] = number(value, mode);
  if (!values.contains("idle_ms_waited") || !values.contains("reached")) {
    throw AgentError("the probe's answer to settle is not whole: " + printable_line(text));
  }
  return {static_cast<double>(values["sync_ms"]) / 1000, static_cast<double>(values["idle_ms_waited"]) / 1000,
          values["reached"] == 1};
}

FileExtents read_extents(GuestAgent& agent, const std::string& path) {
  return parse_extents(ask(agent, {"extents", path}, k_short_timeout));
}

FileExtents parse_extents(std::string_view text) {
  const std::string mode = "extents";
  FileExtents extents;
  for (const auto& [key, value] : fields_of(text, mode)) {
    if (key == "device") extents.block_device = value;
    if (key != "extent") continue;
    const auto words = split_words(value);
    if (words.size() != 3 || extents.ranges.size() == k_most_extents) {
      throw AgentError("the probe's answer to extents is broken: " + printable_line(value));
    }
    extents.ranges.emplace_back(number(words[0], mode), number(words[1], mode));
  }
  if (extents.block_device.empty()) throw AgentError("the probe's answer to extents names no device");
  return extents;
}

}  // namespace swaprig::guest
