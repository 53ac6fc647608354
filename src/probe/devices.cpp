#include "probe/devices.hpp"

#include <algorithm>

#include "probe/system.hpp"

namespace swaprig::probe {

std::optional<std::string> kernel_argument(std::string_view command_line, std::string_view name) {
  std::optional<std::string> value;
  while (!command_line.empty()) {
    const auto end = std::min(command_line.find_first_of(" \n"), command_line.size());
    const auto word = command_line.substr(0, end);
    command_line.remove_prefix(std::min(end + 1, command_line.size()));
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') {
      value = std::string(word.substr(name.size() + 1));
    }
  }
  return value;
}

std::optional<RootArgument> parse_root_argument(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto number = to_number(text.substr(colon + 1));
  if (!number || *number < 1 || *number > 128) return std::nullopt;
  return RootArgument{std::string(text.substr(0, colon)), static_cast<int>(*number)};
}

std::string serial_in_page_80(std::string_view page) {
  constexpr std::size_t k_header = 4;
  if (page.size() < k_header || page[1] != '\x80') return {};
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(page[2])) << 8U |
                      static_cast<std::size_t>(static_cast<unsigned char>(page[3]));
  return std::string(trimmed(page.substr(k_header, length)));
}

std::string serial_of(const std::string& block_device) {
  const std::string folder = "/sys/block/" + block_device;
  if (auto serial = read_word(folder + "/serial"); !serial.empty()) return serial;
  return serial_in_page_80(read_text(folder + "/device/vpd_pg80").value_or(""));
}

std::optional<std::string> partition_of(const std::string& block_device, int number) {
  const std::string folder = "/sys/block/" + block_device;
  for (auto& name : names_in(folder)) {
    if (!name.starts_with(block_device)) continue;
    if (read_word(folder + "/" + name + "/partition") == std::to_string(number)) return std::move(name);
  }
  return std::nullopt;
}

namespace {

constexpr int k_poll_ms = 10;

std::string seen_serials() {
  std::string seen;
  for (const auto& device : names_in("/sys/block")) {
    seen += seen.empty() ? "" : ", ";
    seen += device + " " + serial_of(device);
  }
  return seen.empty() ? "no drive at all" : seen;
}

}  // namespace

std::string wait_for_partition(const RootArgument& root, int limit_ms) {
  for (int waited = 0;; waited += k_poll_ms) {
    for (const auto& device : names_in("/sys/block")) {
      if (serial_of(device) != root.serial) continue;
      if (auto partition = partition_of(device, root.partition)) return *partition;
    }
    if (waited >= limit_ms) break;
    sleep_ms(k_poll_ms);
  }
  throw Failure("no drive with serial " + root.serial + " and partition " + std::to_string(root.partition) +
                "; seen: " + seen_serials());
}

std::optional<std::string> virtio_port(std::string_view name) {
  for (const auto& port : names_in("/sys/class/virtio-ports")) {
    if (read_word("/sys/class/virtio-ports/" + port + "/name") == name) return "/dev/" + port;
  }
  return std::nullopt;
}

}  // namespace swaprig::probe
