#include "host/findings.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/embedded_driver.hpp"

namespace swaprig::host {
namespace {

constexpr Bytes k_little_memory = gib(2);
constexpr Bytes k_too_little_memory = mib(768);  // the smallest guest under TCG
constexpr Bytes k_little_space = gib(10);

// What QEMU takes beyond the guest's memory. TCG: its translation cache and its tables, up to 700 MB seen.
constexpr Bytes k_tcg_extra = mib(700);
constexpr Bytes k_kvm_extra = mib(200);

std::string install(const std::string& package) { return "apt-get install " + package; }

}  // namespace

std::vector<NeededProgram> needed_programs() {
  return {{"mmdebstrap", "mmdebstrap", "builds images", false},
          {"mke2fs", "e2fsprogs", "makes file systems", false},
          {"sfdisk", "fdisk", "makes partitions", false},
          {"nbdkit", "nbdkit", "serves simulated drives", true},
          {"gnuplot", "gnuplot-nox", "draws charts", true}};
}

Finding judge_kvm(const std::optional<Acceleration>& remembered) {
  constexpr const char* k_slow = "guests run under software emulation (TCG): timings compare with each other only";
  if (!remembered) {
    return {"KVM", Fitness::note, "not proven yet: /dev/kvm opens, but no guest has run under it",
            "the first run with accel = \"auto\" boots one to find out"};
  }
  if (remembered->use == Virtualisation::kvm) return {"KVM", Fitness::ok, remembered->why, ""};
  return {"KVM", Fitness::warning, remembered->why, k_slow};
}

Finding judge_qemu(bool installed, const std::string& version) {
  if (!installed) {
    return {"QEMU", Fitness::unfit, std::string("there is no ") + k_qemu_program + " in PATH", install(k_qemu_package)};
  }
  if (version.empty()) {
    return {"QEMU", Fitness::unfit, std::string(k_qemu_program) + " does not tell its version",
            std::string("run ") + k_qemu_program + " --version and see what it says"};
  }
  return {"QEMU", Fitness::ok, version, ""};
}

Finding judge_libvirt(const std::string& version, bool driver_installed) {
  if (!driver_installed) {
    return {"libvirt", Fitness::unfit, version + ", but its QEMU driver is not installed", install(k_driver_package)};
  }
  return {"libvirt", Fitness::ok, version, ""};
}

Finding judge_program(const NeededProgram& program, bool installed) {
  if (installed) return {program.name, Fitness::ok, "found", ""};
  return {program.name, program.can_do_without ? Fitness::warning : Fitness::unfit, "not found; it " + program.purpose,
          install(program.package)};
}

Finding judge_memory(const Memory& memory) {
  const std::string text = rounded(memory.available) + " of " + rounded(memory.total) + " available";
  if (memory.available < k_too_little_memory) {
    return {"memory", Fitness::unfit, text,
            "end other programs; the smallest guest takes " + exact(k_too_little_memory)};
  }
  if (memory.available < k_little_memory) {
    return {"memory", Fitness::warning, text, "only small guests fit; end other programs"};
  }
  return {"memory", Fitness::ok, text, ""};
}

Finding judge_host_swap(const Memory& memory) {
  if (memory.swap_total.count == 0) return {"host swap", Fitness::ok, "none", ""};
  if (memory.swap_free >= memory.swap_total) {
    return {"host swap", Fitness::ok, rounded(memory.swap_total) + ", none of it in use", ""};
  }
  return {"host swap", Fitness::warning, rounded(memory.swap_total - memory.swap_free) + " in use",
          "a run during which the host swaps is invalid; free memory, then swapoff -a && swapon -a"};
}

Finding judge_folder(const std::string& what, const FolderState& folder, bool holds_drives) {
  const std::string name = printable_line(folder.path.string());
  if (!folder.fault.empty()) {
    return {what, Fitness::unfit, name + ": " + folder.fault,
            holds_drives ? "make it writable, or choose another with --state" : "make it writable"};
  }
  const std::string text = name + ": " + rounded(folder.free) + " free";
  if (holds_drives && !folder.direct_fault.empty()) {
    return {what, Fitness::unfit, text + ", but no O_DIRECT: " + folder.direct_fault,
            "choose a folder on a disk file system (ext4, xfs) with --state"};
  }
  if (folder.free < k_little_space) return {what, Fitness::warning, text, "images and drives take several GiB"};
  return {what, Fitness::ok, text + (folder.direct_fault.empty() ? ", O_DIRECT works" : ", no O_DIRECT"), ""};
}

Finding judge_governor(const std::string& governors) {
  if (governors.empty()) return {"governor", Fitness::note, "this host shows no CPU frequency governor", ""};
  if (governors == "performance") return {"governor", Fitness::ok, governors, ""};
  return {"governor", Fitness::warning, printable_line(governors),
          "clock changes add noise; try: cpupower frequency-set -g performance"};
}

Finding judge_load(std::optional<double> load, int processors) {
  if (!load) return {"load", Fitness::note, "unknown", ""};
  const std::string text = fmt::format("{:.1f} on {} processors", *load, processors);
  if (*load > 0.5 * processors)
    return {"load", Fitness::warning, text, "other work disturbs the timings; wait or end it"};
  return {"load", Fitness::ok, text, ""};
}

Finding judge_ksm(const std::string& run) {
  const std::string_view state = trim(run);
  if (state.empty() || state == "0" || state == "2") return {"KSM", Fitness::ok, "off", ""};
  return {"KSM", Fitness::note, "on; swaprig's guests are kept out of it", ""};
}

Finding judge_huge_pages(const std::string& choice) {
  return {"huge pages", Fitness::note, choice.empty() ? "not supported" : printable_line(choice), ""};
}

std::string memory_shortage(Bytes available, Bytes guest_memory, Virtualisation virtualisation) {
  const bool emulated = virtualisation == Virtualisation::tcg;
  const Bytes extra = emulated ? k_tcg_extra : k_kvm_extra;
  // Compared by subtraction, since the guest's memory may be absurdly large.
  if (available >= extra && guest_memory <= available - extra) return "";
  return "the guest does not fit into this host's memory: it has " + exact(guest_memory) + ", QEMU takes up to " +
         exact(extra) + " more" + (emulated ? " under TCG" : "") + ", and " + rounded(available) +
         " are available; end other programs, or give the guest less memory";
}

std::string space_shortage(const FolderState& folder, Bytes needed) {
  const std::string name = printable_line(folder.path.string());
  if (!folder.fault.empty())
    return "cannot write in " + name + ": " + folder.fault + "; make it writable, or choose another folder";
  if (folder.free >= needed) return "";
  return "too little space in " + name + ": " + rounded(needed) + " are needed, " + rounded(folder.free) +
         " are free; free some, or choose another folder";
}

}  // namespace swaprig::host
