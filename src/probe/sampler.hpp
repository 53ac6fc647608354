#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe/process_tree.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

/// One sample; the columns of wire::k_samples_header in their order.
struct Sample {
  std::int64_t at_ms = 0;
  std::int64_t memory_available_kib = 0;
  std::int64_t swap_used_kib = 0;
  std::int64_t swap_in_pages = 0;
  std::int64_t swap_out_pages = 0;
  std::int64_t tree_resident_kib = 0;
  std::int64_t tree_swapped_kib = 0;
  std::int64_t memory_some_us = 0;
  std::int64_t memory_full_us = 0;
};

/// Takes samples into memory that its constructor takes; reads files that are open already.
class Sampler {
 public:
  Sampler(ProcessTree& tree, std::size_t capacity);

  void take(std::int64_t at_ms);

  /// Highest resident + swapped memory of the process tree.
  std::int64_t peak_memory_kib() const { return m_peak_memory_kib; }
  /// Samples that found no room.
  std::int64_t lost() const { return m_lost; }
  /// Header and one line each.
  std::string text() const;

 private:
  std::string_view read_until(const Descriptor& file, std::string_view last_key);

  ProcessTree& m_tree;
  Descriptor m_meminfo;
  Descriptor m_vmstat;
  Descriptor m_pressure;
  std::vector<char> m_text;
  std::vector<Sample> m_samples;
  std::size_t m_capacity;
  std::int64_t m_lost = 0;
  std::int64_t m_peak_memory_kib = 0;
};

}  // namespace swaprig::probe
