#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/wire.hpp"
#include "probe/devices.hpp"
#include "probe/modes.hpp"
#include "probe/procfs.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr std::uint64_t k_sector_bytes = 512;  // of sizes and positions in /sys, whatever the drive's own sector is

std::string sectors_as_bytes(const std::string& path) {
  return std::to_string(to_number(read_word(path)).value_or(0) * k_sector_bytes);
}

/// The choice in brackets: "[mq-deadline] none", "always [madvise] never"; the text itself without brackets.
std::string chosen(const std::string& text) {
  const auto open = text.find('[');
  const auto close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return text;
  return text.substr(open + 1, close - open - 1);
}

/// "vm.swappiness" is /proc/sys/vm/swappiness; a slash in a name stands for a dot in a file's name.
std::string sysctl_path(std::string name) {
  for (char& c : name) {
    if (c == '.') {
      c = '/';
    } else if (c == '/') {
      c = '.';
    }
  }
  return "/proc/sys/" + name;
}

wire::Fields set_sysctl(const std::string& name, const std::string& wanted) {
  wire::Fields fields = {{"name", name}, {"wanted", wanted}};
  const auto path = sysctl_path(name);
  const int error = write_text(path, wanted);
  if (error != 0) fields.emplace_back("error", with_reason(path, error));
  fields.emplace_back("found", read_word(path));
  return fields;
}

wire::Fields settings() {
  wire::Fields fields;
  const auto add = [&fields](const char* name, const std::string& path) {
    if (const auto value = chosen(read_word(path)); !value.empty()) fields.emplace_back(name, value);
  };
  add("vm.page-cluster", "/proc/sys/vm/page-cluster");
  add("vm.swappiness", "/proc/sys/vm/swappiness");
  add("vm.dirty_ratio", "/proc/sys/vm/dirty_ratio");
  add("vm.dirty_background_ratio", "/proc/sys/vm/dirty_background_ratio");
  add("vm.dirty_bytes", "/proc/sys/vm/dirty_bytes");
  add("vm.dirty_background_bytes", "/proc/sys/vm/dirty_background_bytes");
  add("VMA read-ahead", "/sys/kernel/mm/swap/vma_ra_enabled");
  add("MGLRU", "/sys/kernel/mm/lru_gen/enabled");
  add("THP", "/sys/kernel/mm/transparent_hugepage/enabled");
  add("zswap", "/sys/module/zswap/parameters/enabled");
  add("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  add("agent's reserve", wire::k_reserve_path);
  const auto meminfo = read_text("/proc/meminfo").value_or("");
  fields.emplace_back("MemTotal KiB", std::to_string(value_of(meminfo, "MemTotal:").value_or(0)));
  fields.emplace_back("processors", std::to_string(sysconf(_SC_NPROCESSORS_ONLN)));
  return fields;
}

wire::Fields drive(const std::string& device) {
  const std::string folder = "/sys/block/" + device;
  wire::Fields fields = {
      {"device", device},
      {"serial", serial_of(device)},
      {"size_bytes", sectors_as_bytes(folder + "/size")},
      {"rotational", read_word(folder + "/queue/rotational")},
      {"scheduler", chosen(read_word(folder + "/queue/scheduler"))},
      {"read_ahead_kib", read_word(folder + "/queue/read_ahead_kb")},
      {"logical_sector_bytes", read_word(folder + "/queue/logical_block_size")},
      {"physical_sector_bytes", read_word(folder + "/queue/physical_block_size")},
  };
  for (const auto& name : names_in(folder)) {
    const auto number = read_word(folder + "/" + name + "/partition");
    if (!name.starts_with(device) || number.empty()) continue;
    fields.emplace_back("partition", name + " " + number + " " + sectors_as_bytes(folder + "/" + name + "/start") +
                                         " " + sectors_as_bytes(folder + "/" + name + "/size"));
  }
  return fields;
}

}  // namespace

int facts_mode(int argc, char** argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) {
    const auto sysctl = option_value(argv[i], "sysctl");
    const auto equals = sysctl ? sysctl->find('=') : std::string_view::npos;
    if (equals == std::string_view::npos) throw Failure(std::string("unknown argument ") + argv[i]);
    const auto fields = set_sysctl(std::string(sysctl->substr(0, equals)), std::string(sysctl->substr(equals + 1)));
    wire::append_section(text, "sysctl", wire::encode_fields(fields));
  }
  utsname kernel{};
  uname(&kernel);
  wire::append_section(text, "release", kernel.release);
  wire::append_section(text, "cmdline", read_word("/proc/cmdline"));
  wire::append_section(text, "swaps", read_text("/proc/swaps").value_or(""));
  wire::append_section(text, "settings", wire::encode_fields(settings()));
  for (const auto& device : names_in("/sys/block")) {
    if (read_word("/sys/block/" + device + "/size") == "0") continue;  // loop and zram devices that hold nothing
    wire::append_section(text, "drive", wire::encode_fields(drive(device)));
  }
  return write_all(STDOUT_FILENO, text) ? 0 : 1;
}

}  // namespace swaprig::probe
