#include "probe/sampler.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/wire.hpp"
#include "probe/procfs.hpp"

namespace swaprig::probe {

namespace {

constexpr std::size_t k_text_limit = 16U << 10U;

Descriptor open_for_reading(const char* path) { return Descriptor(open(path, O_RDONLY | O_CLOEXEC)); }

}  // namespace

Sampler::Sampler(ProcessTree& tree, std::size_t capacity)
    : m_tree(tree),
      m_meminfo(open_for_reading("/proc/meminfo")),
      m_vmstat(open_for_reading("/proc/vmstat")),
      m_pressure(open_for_reading("/proc/pressure/memory")),
      m_text(k_text_limit),
      m_capacity(capacity) {
  // Written, not only reserved: what is locked has to be there.
  m_samples.resize(capacity);
  m_samples.clear();
}

/// One call: the kernel computes these files anew for every read(2), even for the one that finds their end. What does
/// not fit the kernel's buffer (a page, cut between lines) is read only when the key has not come yet.
std::string_view Sampler::read_until(const Descriptor& file, std::string_view last_key) {
  std::size_t length = 0;
  while (length < m_text.size()) {
    const auto got = pread(file.get(), m_text.data() + length, m_text.size() - length, static_cast<off_t>(length));
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
    if (std::string_view(m_text.data(), length).find(last_key) != std::string_view::npos) break;
  }
  return {m_text.data(), length};
}

void Sampler::take(std::int64_t at_ms) {
  Sample sample;
  sample.at_ms = at_ms;
  const auto meminfo = read_until(m_meminfo, "SwapFree:");
  sample.memory_available_kib = value_of(meminfo, "MemAvailable:").value_or(0);
  sample.swap_used_kib = value_of(meminfo, "SwapTotal:").value_or(0) - value_of(meminfo, "SwapFree:").value_or(0);
  const auto vmstat = read_until(m_vmstat, "pswpout");
  sample.swap_in_pages = value_of(vmstat, "pswpin").value_or(0);
  sample.swap_out_pages = value_of(vmstat, "pswpout").value_or(0);
  const auto pressure = read_until(m_pressure, "full");
  sample.memory_some_us = pressure_total(pressure, "some").value_or(0);
  sample.memory_full_us = pressure_total(pressure, "full").value_or(0);
  const auto usage = m_tree.measure();
  sample.tree_resident_kib = usage.resident_kib;
  sample.tree_swapped_kib = usage.swapped_kib;
  m_peak_memory_kib = std::max(m_peak_memory_kib, usage.resident_kib + usage.swapped_kib);
  if (m_samples.size() < m_capacity) {
    m_samples.push_back(sample);
  } else {
    ++m_lost;
  }
}

std::string Sampler::text() const {
  std::string text = wire::k_samples_header;
  text += '\n';
  for (const auto& s : m_samples) {
    const std::int64_t columns[] = {s.at_ms,          s.memory_available_kib, s.swap_used_kib,    s.swap_in_pages,
                                    s.swap_out_pages, s.tree_resident_kib,    s.tree_swapped_kib, s.memory_some_us,
                                    s.memory_full_us};
    for (const auto column : columns) {
      text += std::to_string(column);
      text += ' ';
    }
    text.back() = '\n';
  }
  return text;
}

}  // namespace swaprig::probe
