#include "probe/procfs.hpp"

#include <algorithm>

namespace swaprig::probe {

namespace {

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& text) {
  const auto first = std::min(text.find_first_not_of(" \t\n"), text.size());
  text.remove_prefix(first);
  const auto end = std::min(text.find_first_of(" \t\n"), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

/// "vda" and "vda2" of "vda", "nvme0n1p2" of "nvme0n1"; not "vdaa".
bool is_device_or_partition(std::string_view name, std::string_view device) {
  if (!name.starts_with(device)) return false;
  name.remove_prefix(device.size());
  if (name.starts_with('p')) name.remove_prefix(1);
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::int64_t> leading_number(std::string_view word) {
  constexpr std::size_t k_digits = 18;  // always fits
  std::int64_t value = 0;
  std::size_t used = 0;
  while (used < std::min(word.size(), k_digits) && word[used] >= '0' && word[used] <= '9') {
    value = value * 10 + (word[used++] - '0');
  }
  if (used == 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    auto line = take_line(text);
    if (take_word(line) == key) return leading_number(take_word(line));
  }
  return std::nullopt;
}

std::optional<std::int64_t> pressure_total(std::string_view text, std::string_view line_name) {
  constexpr std::string_view k_total = "total=";
  while (!text.empty()) {
    auto line = take_line(text);
    if (take_word(line) != line_name) continue;
    const auto total = line.find(k_total);
    if (total == std::string_view::npos) return std::nullopt;
    return leading_number(line.substr(total + k_total.size()));
  }
  return std::nullopt;
}

int take_pid(std::string_view& list) { return static_cast<int>(leading_number(take_word(list)).value_or(0)); }

std::string lines_of_devices(std::string_view diskstats, const std::vector<std::string>& devices) {
  if (devices.empty()) return std::string(diskstats);
  std::string kept;
  while (!diskstats.empty()) {
    const auto line = take_line(diskstats);
    auto words = line;
    take_word(words);
    take_word(words);
    const auto name = take_word(words);
    const auto named = [name](const std::string& device) { return is_device_or_partition(name, device); };
    if (std::any_of(devices.begin(), devices.end(), named)) kept.append(line).append("\n");
  }
  return kept;
}

}  // namespace swaprig::probe
