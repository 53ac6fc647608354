#include "host/preflight.hpp"

#include <libvirt/libvirt.h>
#include <sys/utsname.h>

#include <algorithm>

#include "base/text.hpp"
#include "host/embedded_driver.hpp"
#include "host/findings.hpp"
#include "host/folder_state.hpp"
#include "host/host_readings.hpp"
#include "host/libvirt_handles.hpp"

namespace swaprig::host {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) { return try_read_file(path).value_or(""); }

Memory memory_now() { return parse_meminfo(read("/proc/meminfo")); }

std::string libvirt_version() {
  unsigned long version = 0;
  return virGetVersion(&version, nullptr, nullptr) == 0 ? version_text(version) : "unknown";
}

/// Empty when QEMU is missing or broken.
std::string qemu_version(CommandRunner& commands) {
  if (!commands.find(k_qemu_program)) return "";
  Command command;
  command.program = k_qemu_program;
  command.arguments = {"--version"};
  command.timeout = std::chrono::seconds(30);
  return parse_qemu_version(commands.run(command).out);
}

std::string governors() {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/cpu", ignored)) {
    if (const auto governor = try_read_file(entry.path() / "cpufreq" / "scaling_governor")) found.push_back(*governor);
  }
  return describe_governors(found);
}

std::vector<Finding> examine_programs(CommandRunner& commands) {
  std::error_code ignored;
  const auto module = qemu_driver_module();
  std::vector<Finding> findings = {judge_qemu(commands.find(k_qemu_program).has_value(), qemu_version(commands)),
                                   judge_libvirt(libvirt_version(), module.empty() || fs::exists(module, ignored))};
  for (const auto& program : needed_programs()) {
    findings.push_back(judge_program(program, commands.find(program.name).has_value()));
  }
  return findings;
}

/// What systemd-detect-virt says ("kvm", "docker", "none"), or the processor's hypervisor flag.
std::string virtualised(CommandRunner& commands, const std::string& cpuinfo) {
  if (commands.find("systemd-detect-virt")) {
    Command command;
    command.program = "systemd-detect-virt";
    command.timeout = std::chrono::seconds(10);
    const auto said = commands.run(command).out;
    if (!trim(said).empty()) return printable_line(trim(said));
  }
  return has_cpu_flag(cpuinfo, "hypervisor") ? "yes" : "none";
}

}  // namespace

std::vector<Finding> examine_host(CommandRunner& commands, const Folders& folders, bool programs) {
  const Memory memory = memory_now();
  std::vector<Finding> findings = {judge_kvm(remembered_acceleration(folders))};
  if (programs) std::ranges::move(examine_programs(commands), std::back_inserter(findings));
  std::ranges::move(
      std::vector<Finding>{judge_memory(memory), judge_host_swap(memory),
                           judge_folder("state folder", look_at_folder(folders.state), true),
                           judge_folder("cache folder", look_at_folder(folders.cache), false),
                           judge_governor(governors()),
                           judge_load(parse_load(read("/proc/loadavg")), count_processors(read("/proc/cpuinfo"))),
                           judge_ksm(read("/sys/kernel/mm/ksm/run")),
                           judge_huge_pages(parse_choice(read("/sys/kernel/mm/transparent_hugepage/enabled")))},
      std::back_inserter(findings));
  return findings;
}

Bytes available_memory() { return memory_now().available; }

void require_memory(Bytes guest_memory, Virtualisation virtualisation) {
  const auto shortage = memory_shortage(memory_now().available, guest_memory, virtualisation);
  if (!shortage.empty()) throw HostError(shortage);
}

void require_space(const fs::path& folder, Bytes needed) {
  const auto shortage = space_shortage(look_at_folder(folder), needed);
  if (!shortage.empty()) throw HostError(shortage);
}

std::vector<std::pair<std::string, std::string>> host_facts(CommandRunner& commands) {
  const std::string cpuinfo = read("/proc/cpuinfo");
  utsname kernel{};
  ::uname(&kernel);
  const auto or_unknown = [](const std::string& text) { return text.empty() ? "unknown" : printable_line(text); };
  const auto governor = governors();
  return {{"CPU", or_unknown(parse_cpu_model(cpuinfo))},
          {"processors", std::to_string(count_processors(cpuinfo))},
          {"memory", rounded(memory_now().total)},
          {"kernel", or_unknown(kernel.release)},
          {"distribution", or_unknown(parse_distribution(read("/etc/os-release")))},
          {"governor", governor.empty() ? "none" : printable_line(governor)},
          {"QEMU", or_unknown(qemu_version(commands))},
          {"libvirt", libvirt_version()},
          {"virtualised", virtualised(commands, cpuinfo)}};
}

}  // namespace swaprig::host
