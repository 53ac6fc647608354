#include "host/host_readings.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.hpp"

namespace swaprig::host {
namespace {

/// The value behind "KEY<blanks>:" of the first line that has it.
std::string value_of(std::string_view text, std::string_view key, char separator) {
  for (const auto& line : split(text, '\n')) {
    const auto at = line.find(separator);
    if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key) continue;
    return std::string(trim(std::string_view(line).substr(at + 1)));
  }
  return "";
}

Bytes kib_value(std::string_view meminfo, std::string_view key) {
  const auto words = split_words(value_of(meminfo, key, ':'));
  std::uint64_t number = 0;
  if (!words.empty()) std::from_chars(words[0].data(), words[0].data() + words[0].size(), number);
  return kib(number);
}

}  // namespace

Memory parse_meminfo(std::string_view text) {
  return Memory{kib_value(text, "MemTotal"), kib_value(text, "MemAvailable"), kib_value(text, "SwapTotal"),
                kib_value(text, "SwapFree")};
}

std::string parse_cpu_model(std::string_view cpuinfo) { return value_of(cpuinfo, "model name", ':'); }

int count_processors(std::string_view cpuinfo) {
  int count = 0;
  for (const auto& line : split(cpuinfo, '\n')) count += line.starts_with("processor") ? 1 : 0;
  return count;
}

bool has_cpu_flag(std::string_view cpuinfo, std::string_view flag) {
  const auto flags = split_words(value_of(cpuinfo, "flags", ':'));
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string parse_distribution(std::string_view os_release) {
  std::string name = value_of(os_release, "PRETTY_NAME", '=');
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  return name;
}

std::string parse_choice(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::string(trim(text));
  return std::string(text.substr(open + 1, close - open - 1));
}

std::optional<double> parse_load(std::string_view text) {
  const auto words = split_words(text);
  double load = 0;
  if (words.empty()) return std::nullopt;
  const auto [end, fault] = std::from_chars(words[0].data(), words[0].data() + words[0].size(), load);
  return fault == std::errc{} && end == words[0].data() + words[0].size() ? std::optional(load) : std::nullopt;
}

std::string parse_qemu_version(std::string_view text) {
  constexpr std::string_view k_before = "QEMU emulator version ";
  if (!text.starts_with(k_before)) return "";
  const auto words = split_words(text.substr(k_before.size()));
  return words.empty() ? "" : words[0];
}

std::string describe_governors(const std::vector<std::string>& governors) {
  std::set<std::string> different;
  for (const auto& governor : governors) {
    if (const auto name = trim(governor); !name.empty()) different.emplace(name);
  }
  return join({different.begin(), different.end()}, ", ");
}

}  // namespace swaprig::host
