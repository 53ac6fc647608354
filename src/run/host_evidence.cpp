#include "run/host_evidence.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::run {

namespace {

std::string process_file(int pid, const std::string& name) { return "/proc/" + std::to_string(pid) + "/" + name; }

std::int64_t required(std::string_view text, std::string_view key, const std::string& where) {
  const auto value = value_after(text, key);
  if (!value) throw Error("no " + std::string(key) + " in " + where);
  return *value;
}

std::int64_t cpu_ms(int pid) {
  const auto path = process_file(pid, "stat");
  const auto text = read_file(path);
  const auto name_end = text.rfind(')');
  const auto words = split_words(name_end == std::string::npos ? text : text.substr(name_end + 1));
  // proc(5): utime and stime are fields 14 and 15; the state behind the name is field 3.
  if (words.size() < 13) throw Error("unreadable " + path);
  return (std::stoll(words[11]) + std::stoll(words[12])) * 1000 / sysconf(_SC_CLK_TCK);
}

void add_block_counters(host::Machine& machine, std::vector<HostDrive>& drives) {
  const auto counters = machine.block_counters();
  for (auto& drive : drives) {
    const auto found = std::find_if(counters.begin(), counters.end(),
                                    [&](const host::BlockCounters& entry) { return entry.drive == drive.drive; });
    if (found == counters.end()) throw Error("QEMU reports no counters for drive " + drive.drive);
    const auto as_signed = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    drive.read_bytes = as_signed(found->read_bytes);
    drive.read_requests = as_signed(found->read_requests);
    drive.written_bytes = as_signed(found->write_bytes);
    drive.write_requests = as_signed(found->write_requests);
    drive.read_ns = as_signed(found->read_ns);
    drive.write_ns = as_signed(found->write_ns);
    drive.failed_reads = as_signed(found->failed_reads);
    drive.failed_writes = as_signed(found->failed_writes);
  }
}

/// Descriptors of the process on exactly this file; all of them have to be direct.
struct Descriptors {
  int count = 0;
  bool all_direct = true;
};

Descriptors descriptors_on(int pid, const std::filesystem::path& path) {
  Descriptors found;
  std::error_code error;
  const auto wanted = std::filesystem::weakly_canonical(path, error);
  for (const auto& entry : std::filesystem::directory_iterator(process_file(pid, "fd"), error)) {
    const auto target = std::filesystem::read_symlink(entry.path(), error);
    if (error || target != wanted) continue;
    const auto info = try_read_file(process_file(pid, "fdinfo/" + entry.path().filename().string()));
    ++found.count;
    found.all_direct = found.all_direct && info && is_direct(*info);
  }
  return found;
}

/// Whether QEMU itself says that the block device on this file bypasses the host's cache.
bool monitor_says_direct(const nlohmann::json& answer, const std::filesystem::path& path) {
  for (const auto& device : answer.value("return", nlohmann::json::array())) {
    const auto inserted = device.find("inserted");
    if (inserted == device.end()) continue;
    const bool same = inserted->value("file", "") == path.string() ||
                      inserted->value("image", nlohmann::json::object()).value("filename", "") == path.string();
    if (same) return inserted->value("cache", nlohmann::json::object()).value("direct", false);
  }
  return false;
}

}  // namespace

std::optional<std::int64_t> value_after(std::string_view text, std::string_view key) {
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    auto line = text.substr(start, end - start);
    start = end + 1;
    if (line.substr(0, key.size()) != key || line.size() == key.size()) continue;
    line.remove_prefix(key.size());
    if (line.front() != ' ' && line.front() != ':' && line.front() != '\t') continue;
    while (!line.empty() && (line.front() == ' ' || line.front() == ':' || line.front() == '\t')) line.remove_prefix(1);
    std::int64_t value = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

bool is_direct(std::string_view fdinfo) {
  const auto flags = fdinfo.find("flags:");
  if (flags == std::string_view::npos) return false;
  auto digits = fdinfo.substr(flags + 6);
  while (!digits.empty() && (digits.front() == ' ' || digits.front() == '\t')) digits.remove_prefix(1);
  unsigned long value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value, 8).ec != std::errc{}) return false;
  return (value & static_cast<unsigned long>(O_DIRECT)) != 0;
}

void add_pressure(std::string_view text, const std::string& name, Counters& counters) {
  for (const auto& line : split(text, '\n')) {
    const auto words = split_words(line);
    if (words.size() < 2 || words.back().rfind("total=", 0) != 0) continue;
    const auto digits = words.back().substr(6);
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{}) {
      counters[name + "." + words.front()] = value;
    }
  }
}

HostMoment read_host(host::Machine& machine, const Drives& drives) {
  HostMoment moment;
  const int pid = machine.pid();
  for (const auto& drive : drives) {
    HostDrive entry;
    entry.drive = drive->attachment().drive;
    if (const auto state = drive->state()) {
      entry.cached_bytes = static_cast<std::int64_t>(state->cached.count);
      entry.allocated_bytes = static_cast<std::int64_t>(state->allocated.count);
    }
    if (auto* server = drive->server()) entry.simulated = server->counters();
    moment.drives.push_back(std::move(entry));
  }
  add_block_counters(machine, moment.drives);
  const auto status_path = process_file(pid, "status");
  const auto status = read_file(status_path);
  moment.qemu_swapped_kib = required(status, "VmSwap", status_path);
  moment.qemu_resident_kib = required(status, "VmRSS", status_path);
  moment.qemu_cpu_ms = cpu_ms(pid);
  moment.page_cache_kib = required(read_file("/proc/meminfo"), "Cached", "/proc/meminfo");
  const auto vmstat = read_file("/proc/vmstat");
  moment.swap_in_pages = required(vmstat, "pswpin", "/proc/vmstat");
  moment.swap_out_pages = required(vmstat, "pswpout", "/proc/vmstat");
  for (const std::string name : {"memory", "io", "cpu"}) {
    if (const auto text = try_read_file("/proc/pressure/" + name)) add_pressure(*text, name, moment.pressure_us);
  }
  if (const auto ksm = try_read_file("/sys/kernel/mm/ksm/run")) moment.ksm_run = std::atoll(ksm->c_str());
  if (const auto pages = try_read_file("/sys/kernel/mm/transparent_hugepage/enabled")) {
    moment.transparent_hugepage = std::string(trim(*pages));
  }
  return moment;
}

std::vector<DirectIoProof> prove_direct_io(host::Machine& machine, const Drives& drives) {
  std::vector<DirectIoProof> proofs;
  const auto answer = nlohmann::json::parse(machine.monitor(R"({"execute":"query-block"})"), nullptr, false);
  for (const auto& drive : drives) {
    DirectIoProof proof;
    proof.drive = drive->attachment().drive;
    if (drive->server() != nullptr) {
      proof.result = DirectIo::simulated;
      proofs.push_back(proof);
      continue;
    }
    const auto found = descriptors_on(machine.pid(), drive->attachment().path);
    proof.descriptor_direct = found.count > 0 && found.all_direct;
    proof.monitor_direct = answer.is_object() && monitor_says_direct(answer, drive->attachment().path);
    bool device_direct = true;
    if (const auto state = drive->state()) {
      proof.loop_direct = state->loop_direct;
      proof.image_format = state->image_format;
      proof.neighbours_untouched = state->neighbours_untouched;
      device_direct = state->direct_io && state->loop_direct.value_or(true) && state->image_format.empty();
    }
    if (found.count == 0) {
      proof.result = DirectIo::unknown;
    } else {
      proof.result = proof.descriptor_direct && proof.monitor_direct && device_direct ? DirectIo::yes : DirectIo::no;
    }
    proofs.push_back(proof);
  }
  return proofs;
}

}  // namespace swaprig::run
