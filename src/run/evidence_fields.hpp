#pragma once

// Every field of the evidence, named once: evidence_json.cpp walks this list to write and to read. The names are those
// of the structs; a field that is added here without a new name for an old one needs no new schema.

#include <type_traits>

#include "run/evidence.hpp"

namespace swaprig::run::json {

/// What a walk may do with a field: a writer sees it const, a reader may set it.
template <typename Walk, typename T>
using Field = std::conditional_t<Walk::k_reads, T&, const T&>;

template <typename Walk>
void fields(Walk& walk, Field<Walk, SwapLine> v) {
  walk("path", v.path), walk("type", v.type), walk("size_kib", v.size_kib), walk("used_kib", v.used_kib);
  walk("priority", v.priority);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, ReadBack> v) {
  walk("what", v.what), walk("wanted", v.wanted), walk("found", v.found), walk("holds", v.holds);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, DiskRange> v) {
  walk("drive", v.drive), walk("offset_bytes", v.offset_bytes), walk("size_bytes", v.size_bytes);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, PlacedArea> v) {
  walk("kind", v.kind), walk("path", v.path), walk("extents", v.extents), walk("block_device", v.block_device);
  walk("own_block_device", v.own_block_device);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, GuestDrive> v) {
  walk("drive", v.drive), walk("device", v.device), walk("serial", v.serial), walk("size_bytes", v.size_bytes);
  walk("rotational", v.rotational), walk("scheduler", v.scheduler), walk("read_ahead_kib", v.read_ahead_kib);
  walk("logical_sector_bytes", v.logical_sector_bytes), walk("physical_sector_bytes", v.physical_sector_bytes);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, DiskStat> v) {
  walk("device", v.device), walk("reads", v.reads), walk("read_bytes", v.read_bytes), walk("read_ms", v.read_ms);
  walk("writes", v.writes), walk("written_bytes", v.written_bytes), walk("write_ms", v.write_ms);
  walk("busy_ms", v.busy_ms);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, GuestMoment> v) {
  walk("vmstat", v.vmstat), walk("meminfo_kib", v.meminfo_kib), walk("disks", v.disks), walk("swaps", v.swaps);
  walk("pressure_us", v.pressure_us), walk("clocksource", v.clocksource);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, drive::Bucket> v) {
  walk("least", v.least), walk("count", v.count);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, drive::SimulatedOperation> v) {
  walk("requests", v.requests), walk("bytes", v.bytes), walk("latency_ns", v.latency_ns), walk("sizes", v.sizes);
  walk("latencies", v.latencies);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, drive::SimulatedRegion> v) {
  walk("name", v.name), walk("requests", v.requests), walk("read_bytes", v.read_bytes);
  walk("written_bytes", v.written_bytes), walk("arm_ns", v.arm_ns);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, drive::SimulatedCrossing> v) {
  walk("from", v.from), walk("to", v.to), walk("moves", v.moves), walk("seek_ns", v.seek_ns);
  walk("rotation_ns", v.rotation_ns);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, drive::SimulatedCounters> v) {
  walk("wall_ns", v.wall_ns), walk("time_scale", v.time_scale), walk("vanished", v.vanished);
  walk("operations", v.operations), walk("busy_ns", v.busy_ns), walk("seek_ns", v.seek_ns);
  walk("rotation_ns", v.rotation_ns), walk("transfer_ns", v.transfer_ns), walk("queue_ns", v.queue_ns);
  walk("electronics_ns", v.electronics_ns), walk("read_hits", v.read_hits);
  walk("read_partial_hits", v.read_partial_hits), walk("write_hits", v.write_hits), walk("arm_reads", v.arm_reads);
  walk("arm_writes", v.arm_writes), walk("destaged_bytes", v.destaged_bytes);
  walk("distance_strokes", v.distance_strokes), walk("regions", v.regions), walk("crossings", v.crossings);
  walk("delivered", v.delivered), walk("late_ns", v.late_ns), walk("lateness", v.lateness);
  walk("floor_limited", v.floor_limited), walk("realtime", v.realtime), walk("starvation_ns", v.starvation_ns);
  walk("backing_errors", v.backing_errors), walk("backing_full", v.backing_full);
  walk("backing_slow", v.backing_slow), walk("backing_longest_ns", v.backing_longest_ns);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, HostDrive> v) {
  walk("drive", v.drive), walk("cached_bytes", v.cached_bytes), walk("allocated_bytes", v.allocated_bytes);
  walk("read_bytes", v.read_bytes), walk("read_requests", v.read_requests), walk("written_bytes", v.written_bytes);
  walk("write_requests", v.write_requests), walk("read_ns", v.read_ns), walk("write_ns", v.write_ns);
  walk("failed_reads", v.failed_reads), walk("failed_writes", v.failed_writes);
  walk("simulated", v.simulated);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, HostMoment> v) {
  walk("drives", v.drives), walk("qemu_swapped_kib", v.qemu_swapped_kib);
  walk("qemu_resident_kib", v.qemu_resident_kib), walk("qemu_cpu_ms", v.qemu_cpu_ms);
  walk("swap_in_pages", v.swap_in_pages), walk("swap_out_pages", v.swap_out_pages);
  walk("pressure_us", v.pressure_us), walk("ksm_run", v.ksm_run), walk("transparent_hugepage", v.transparent_hugepage);
  walk("page_cache_kib", v.page_cache_kib);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, Sample> v) {
  walk("at_ms", v.at_ms), walk("memory_available_kib", v.memory_available_kib), walk("swap_used_kib", v.swap_used_kib);
  walk("swap_in_pages", v.swap_in_pages), walk("swap_out_pages", v.swap_out_pages);
  walk("tree_resident_kib", v.tree_resident_kib), walk("tree_swapped_kib", v.tree_swapped_kib);
  walk("memory_some_us", v.memory_some_us), walk("memory_full_us", v.memory_full_us);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, DirectIoProof> v) {
  walk("drive", v.drive), walk("result", v.result), walk("descriptor_direct", v.descriptor_direct);
  walk("monitor_direct", v.monitor_direct), walk("loop_direct", v.loop_direct), walk("image_format", v.image_format);
  walk("neighbours_untouched", v.neighbours_untouched);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, WorkloadEnd> v) {
  walk("started", v.started), walk("finished", v.finished), walk("error", v.error), walk("timed_out", v.timed_out);
  walk("exit_status", v.exit_status), walk("signal", v.signal), walk("out_of_memory", v.out_of_memory);
  walk("wall_ns", v.wall_ns), walk("user_us", v.user_us), walk("system_us", v.system_us);
  walk("major_faults", v.major_faults), walk("peak_resident_kib", v.peak_resident_kib);
  walk("peak_memory_kib", v.peak_memory_kib), walk("output_tail", v.output_tail), walk("output_cut", v.output_cut);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, Creation> v) {
  walk("method", v.method), walk("file_system", v.file_system), walk("size_bytes", v.size_bytes);
  walk("block_bytes", v.block_bytes), walk("durable", v.durable), walk("real_ns", v.real_ns);
  walk("user_us", v.user_us), walk("system_us", v.system_us), walk("unsupported", v.unsupported);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, Phase> v) {
  walk("name", v.name), walk("seconds", v.seconds);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, Failure> v) {
  walk("code", v.code), walk("text", v.text);
}

template <typename Walk>
void fields(Walk& walk, Field<Walk, Evidence> v) {
  walk("expect_swap", v.expect_swap), walk("memory_bytes", v.memory_bytes), walk("min_swap_bytes", v.min_swap_bytes);
  walk("planned_swap", v.planned_swap), walk("workload_kind", v.workload_kind);
  walk("planned_creations", v.planned_creations), walk("planned_repeats", v.planned_repeats);
  walk("acceleration", v.acceleration), walk("versions", v.versions), walk("host_kernel", v.host_kernel);
  walk("guest_kernel", v.guest_kernel), walk("kernel_command_line", v.kernel_command_line);
  walk("image_digest", v.image_digest), walk("read_backs", v.read_backs), walk("swaps_at_boot", v.swaps_at_boot);
  walk("swaps_expected", v.swaps_expected), walk("swaps_placed", v.swaps_placed);
  walk("swaps_settled", v.swaps_settled), walk("areas", v.areas), walk("guest_drives", v.guest_drives);
  walk("guest_settings", v.guest_settings), walk("root_data", v.root_data), walk("direct_io", v.direct_io);
  walk("idle_wait_seconds", v.idle_wait_seconds);
  walk("idle_reached", v.idle_reached), walk("guest_before", v.guest_before), walk("guest_after", v.guest_after);
  walk("host_before", v.host_before), walk("host_after", v.host_after), walk("host_window_ns", v.host_window_ns);
  walk("samples", v.samples), walk("sampler_us", v.sampler_us), walk("workload", v.workload);
  walk("creations", v.creations);
  walk("kernel_messages", v.kernel_messages);
  walk("phases", v.phases), walk("swapoff_seconds", v.swapoff_seconds), walk("failures", v.failures);
  walk("console_tail", v.console_tail);
}

}  // namespace swaprig::run::json
