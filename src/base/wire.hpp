#pragma once

// The protocol between swaprig and its probe, shared by both; no dependency but the C++ library.
// The host writes a job file into the guest, starts `probe run JOB`, and waits for the end line on the
// probe's own virtio-serial port. The probe writes its result file only after the clock has stopped.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swaprig::wire {

inline constexpr int k_version = 1;

inline constexpr const char* k_agent_port = "org.qemu.guest_agent.0";
inline constexpr const char* k_probe_port = "org.swaprig.probe";

/// The guest's folder for the probe, its job and its results; a tmpfs that our init mounts.
inline constexpr const char* k_guest_folder = "/run/swaprig";
inline constexpr const char* k_probe_path = "/run/swaprig/probe";
/// The memory workload reads files in such pieces: about what a guest under memory pressure reads of program files that were
/// evicted (62 KiB on average in a GHC build).
inline constexpr std::uint64_t k_file_piece = std::uint64_t{64} << 10U;
inline constexpr const char* k_job_path = "/run/swaprig/job";
inline constexpr const char* k_result_path = "/run/swaprig/result";
/// What `probe swapfiles` timed.
inline constexpr const char* k_creations_path = "/run/swaprig/creations";
/// Bytes of memory kept for the guest agent (memory.min of its cgroup), written by our init.
inline constexpr const char* k_reserve_path = "/run/swaprig/reserve";

/// Kernel arguments that our init reads.
inline constexpr const char* k_root_argument = "swaprig.root";   ///< SERIAL:PARTITION_NUMBER

/// Lines on the probe's port, each with a newline behind: the clock starts; it has stopped; the result file is complete
/// under its name. A probe that cannot even try (no such user, a bad job) sends the last two only.
inline constexpr const char* k_start_line = "swaprig 1 start";
inline constexpr const char* k_end_line = "swaprig 1 end";
inline constexpr const char* k_result_line = "swaprig 1 result";

/// A job: ordered "key=value" lines; newline and backslash in a value are written \n and \\.
/// Keys: version, directory, user, timeout_ms, sample_ms, output_limit, cores (how many processors the command may use),
/// nice, argument (repeated), environment (repeated, NAME=VALUE), device (repeated, guest block device names whose statistics matter).
using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string encode_fields(const Fields& fields) {
  std::string text;
  for (const auto& [key, value] : fields) {
    text += key;
    text += '=';
    for (const char c : value) {
      if (c == '\n') {
        text += "\\n";
      } else if (c == '\\') {
        text += "\\\\";
      } else {
        text += c;
      }
    }
    text += '\n';
  }
  return text;
}

/// False when a line has no '='; what was read until then stays in `fields`.
inline bool decode_fields(std::string_view text, Fields& fields) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.empty()) continue;
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) return false;
    std::string value;
    for (std::size_t i = equals + 1; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) {
        ++i;
        value += line[i] == 'n' ? '\n' : line[i];
      } else {
        value += line[i];
      }
    }
    fields.emplace_back(std::string(line.substr(0, equals)), std::move(value));
  }
  return true;
}

/// A result file is a row of sections: "@NAME LENGTH\n", LENGTH bytes, "\n".
/// Names: summary (fields), before and after (each a nest of sections: vmstat, meminfo, diskstats, swaps,
/// pressure_memory, pressure_io, pressure_cpu, clocksource), samples (one line each, header first),
/// kernel (new kernel messages), output (tail of stdout and stderr together).
///
/// Keys of summary: version, started, finished, timed_out, exit_status, signal, wall_ns, user_us, system_us, major_faults,
/// peak_resident_kib, peak_memory_kib, output_bytes (all that came, kept or not), samples_lost, kernel_lost (1: messages
/// were overwritten or cut), sampler_us (the probe's own CPU time in the window), leftover_processes (killed
/// afterwards), exec_error (the system's words when the command could not be executed), error (why there is no
/// measurement; then started is 0).
///
/// `probe facts` prints sections too: release, cmdline, swaps, settings (fields), drive (repeated; fields device, serial,
/// size_bytes, rotational, scheduler, read_ahead_kib, logical_sector_bytes, physical_sector_bytes, and partition,
/// repeated: "NAME NUMBER OFFSET_BYTES SIZE_BYTES"), sysctl (repeated; fields name, wanted, found, error).
inline void append_section(std::string& result, std::string_view name, std::string_view body) {
  result += '@';
  result += name;
  result += ' ';
  result += std::to_string(body.size());
  result += '\n';
  result += body;
  result += '\n';
}

/// First line of the section samples: the columns, separated by one space.
inline constexpr const char* k_samples_header =
    "at_ms memory_available_kib swap_used_kib swap_in_pages swap_out_pages tree_resident_kib tree_swapped_kib "
    "memory_some_us memory_full_us";

/// `probe swapfiles` makes swap files in its working directory. Its cells: "METHOD:SIZE:BLOCK:DURABLE", in bytes, DURABLE 0
/// or 1. The methods, and two controls: the bare system call in the probe itself, and a program that does nothing.
inline constexpr const char* k_by_fallocate = "fallocate";
inline constexpr const char* k_by_dd = "dd";
inline constexpr const char* k_bare_call = "fallocate(2)";
inline constexpr const char* k_control = "true";
inline constexpr const char* k_creation_methods[] = {k_by_fallocate, k_by_dd, k_bare_call, k_control};

/// Exit status when the file system had no room; whatever else went wrong is 1.
inline constexpr int k_no_room_status = 6;

/// Its result: a section "cell" each, with the fields method, size_bytes, block_bytes, durable, file_system, timing
/// (repeated: "REAL_NS USER_US SYSTEM_US"), unsupported (why it cannot be done here).
inline constexpr const char* k_cell_section = "cell";

using Sections = std::vector<std::pair<std::string, std::string_view>>;

/// The views point into `text`. False when a frame is broken or goes past the end.
inline bool decode_sections(std::string_view text, Sections& sections) {
  while (!text.empty()) {
    if (text.front() != '@') return false;
    const auto end = text.find('\n');
    const auto space = text.find(' ');
    if (end == std::string_view::npos || space == std::string_view::npos || space > end) return false;
    std::uint64_t length = 0;
    for (const char c : text.substr(space + 1, end - space - 1)) {
      if (c < '0' || c > '9' || length > (std::uint64_t{1} << 40U)) return false;
      length = length * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (text.size() - end - 1 <= length) return false;
    sections.emplace_back(std::string(text.substr(1, space - 1)), text.substr(end + 1, length));
    text = text.substr(end + 1 + length);
    if (text.front() != '\n') return false;
    text.remove_prefix(1);
  }
  return true;
}

}  // namespace swaprig::wire
