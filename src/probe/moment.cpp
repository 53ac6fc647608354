#include "probe/moment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "base/wire.hpp"
#include "probe/procfs.hpp"

namespace swaprig::probe {

namespace {

constexpr std::size_t k_text_limit = 32U << 10U;

constexpr std::array<std::pair<const char*, const char*>, 8> k_files = {{
    {"vmstat", "/proc/vmstat"},
    {"meminfo", "/proc/meminfo"},
    {"diskstats", "/proc/diskstats"},
    {"swaps", "/proc/swaps"},
    {"pressure_memory", "/proc/pressure/memory"},
    {"pressure_io", "/proc/pressure/io"},
    {"pressure_cpu", "/proc/pressure/cpu"},
    {"clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
}};

}  // namespace

Moment::Moment() {
  for (std::size_t i = 0; i < k_files.size(); ++i) {
    m_sources[i].name = k_files[i].first;
    m_sources[i].file = Descriptor(open(k_files[i].second, O_RDONLY | O_CLOEXEC));
    if (m_sources[i].file) m_sources[i].text.resize(k_text_limit);
  }
}

void Moment::read() {
  for (auto& source : m_sources) {
    source.length = 0;
    while (source.length < source.text.size()) {
      const auto got = pread(source.file.get(), source.text.data() + source.length, source.text.size() - source.length,
                             static_cast<off_t>(source.length));
      if (got <= 0) break;
      source.length += static_cast<std::size_t>(got);
    }
  }
}

std::string Moment::sections(const std::vector<std::string>& devices) const {
  std::string result;
  for (const auto& source : m_sources) {
    if (source.length == 0) continue;
    const std::string_view text(source.text.data(), source.length);
    const bool of_drives = std::string_view(source.name) == "diskstats";
    wire::append_section(result, source.name, of_drives ? lines_of_devices(text, devices) : text);
  }
  return result;
}

}  // namespace swaprig::probe
