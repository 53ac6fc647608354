#include "drive/drive_health.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace swaprig::drive {

DriveHealth read_health(const std::string& path, CommandRunner& commands) {
  DriveHealth unknown;
  if (!commands.find("smartctl")) {
    unknown.note = "smartctl is not installed";
    return unknown;
  }
  Command command;
  command.program = "smartctl";
  command.arguments = {"--json", "--health", "--attributes", "--info", "--nocheck=standby", path};
  command.timeout = std::chrono::seconds(10);
  try {
    return parse_health(commands.run(command).out);  // its status has bits for old errors of the drive
  } catch (const CommandError& error) {
    unknown.note = printable_line(error.what());
    return unknown;
  }
}

DriveHealth parse_health(const std::string& answer) {
  DriveHealth health;
  const auto json = nlohmann::json::parse(answer, nullptr, false);
  if (!json.is_object()) {
    health.note = "smartctl gave no answer";
    return health;
  }
  const auto at = [&](const char* pointer) {
    return json.value(nlohmann::json::json_pointer(pointer), nlohmann::json());
  };
  if (const auto value = at("/temperature/current"); value.is_number_integer()) health.celsius = value.get<int>();
  if (const auto value = at("/smart_status/passed"); value.is_boolean()) health.passed = value.get<bool>();
  if (const auto value = at("/rotation_rate"); value.is_number_integer()) health.rotation_rate = value.get<int>();
  if (health.celsius || health.passed) return health;
  const auto message = at("/smartctl/messages/0/string");
  health.note = message.is_string() ? printable_line(message.get<std::string>()) : "the drive has no SMART";
  return health;
}

}  // namespace swaprig::drive
