#include "host/acceleration.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/command.hpp"
#include "base/text.hpp"
#include "host/embedded_driver.hpp"
#include "host/host_readings.hpp"
#include "host/kvm_proof.hpp"
#include "host/processes.hpp"

namespace swaprig::host {
namespace {

constexpr const char* k_device = "/dev/kvm";
constexpr std::chrono::seconds k_trial_bound{20};
constexpr std::chrono::milliseconds k_look_again{50};
constexpr Bytes k_console_limit = kib(256);

std::filesystem::path memory_file(const Folders& folders) { return folders.state / "acceleration.json"; }

std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? names.release : "";
}

/// Changes with every update of QEMU.
std::string qemu_identity() {
  const auto program = SystemCommandRunner().find(k_qemu_program);
  struct stat status {};
  if (!program || ::stat(program->c_str(), &status) != 0) return "";
  return program->string() + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

std::string last_line(const std::string& console) {
  const auto lines = split(trim(console), '\n');
  return lines.empty() || lines.back().empty() ? "" : "; the console ends with: " + printable_line(lines.back(), 160);
}

Acceleration no_kvm(const std::string& why) { return {Virtualisation::tcg, why}; }

double seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

/// Waits for our init's line, the guest's end, or the bound.
Acceleration watch(Machine& machine, const std::filesystem::path& console, Clock& clock) {
  const auto start = clock.monotonic();
  for (;;) {
    const MachineState state = machine.state();  // before the console: its last words are in what is read below
    const std::string text = read_tail(console, k_console_limit);
    const auto elapsed = clock.monotonic() - start;
    if (text.find(k_init_ready) != std::string::npos) {
      return {Virtualisation::kvm, fmt::format("KVM: a guest booted in {:.1f} s", seconds(elapsed))};
    }
    if (state != MachineState::running) {
      return no_kvm(fmt::format("KVM: the trial guest stopped after {:.1f} s, before its init ran", seconds(elapsed)) +
                    last_line(text));
    }
    if (elapsed >= k_trial_bound) {
      return no_kvm(fmt::format("KVM: the trial guest's init did not run within {} s", k_trial_bound.count()) +
                    (text.empty() ? "; its console stayed silent" : last_line(text)));
    }
    clock.sleep(k_look_again);
  }
}

[[noreturn]] void refuse_kvm(const std::string& why) {
  throw HostError("accel = \"kvm\" cannot run here: " + why +
                  "; use accel = \"auto\" or \"tcg\" (software emulation, slower), or a host with working KVM");
}

}  // namespace

KvmHost look_at_kvm() {
  KvmHost host;
  const Fd device(::open(k_device, O_RDWR | O_CLOEXEC));
  host.device = static_cast<bool>(device);
  if (!host.device) {
    host.why_not = errno == ENOENT ? std::string("no ") + k_device + " on this host"
                                   : std::string(k_device) + ": " + std::generic_category().message(errno) +
                                         (errno == EACCES ? " (is the user in group kvm?)" : "");
  }
  host.key = KvmKey{boot_id(), kernel_release(), qemu_identity(),
                    parse_cpu_model(try_read_file("/proc/cpuinfo").value_or(""))};
  return host;
}

std::string to_json(const KvmKey& key, const Acceleration& answer) {
  const nlohmann::ordered_json json = {{"boot_id", key.boot},
                                       {"kernel", key.kernel},
                                       {"qemu", key.qemu},
                                       {"cpu", key.cpu},
                                       {"kvm", answer.use == Virtualisation::kvm},
                                       {"why", answer.why}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<Acceleration> parse_answer(const std::string& text, const KvmKey& key) {
  try {
    const auto json = nlohmann::json::parse(text);
    const auto field = [&](const char* name) { return json.at(name).get<std::string>(); };
    if (KvmKey{field("boot_id"), field("kernel"), field("qemu"), field("cpu")} != key) return std::nullopt;
    return Acceleration{json.at("kvm").get<bool>() ? Virtualisation::kvm : Virtualisation::tcg, field("why")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // an older or torn file: the proof is made again
  }
}

Acceleration try_kvm(const DomainSpec& trial, MachineHost& machines, Clock& clock) {
  DomainSpec spec = trial;
  spec.virtualisation = Virtualisation::kvm;
  std::error_code ignored;
  std::filesystem::remove(spec.console, ignored);  // an earlier boot's line proves nothing
  try {
    const auto machine = machines.start(spec);
    return watch(*machine, spec.console, clock);
  } catch (const LibvirtError& error) {
    return no_kvm("KVM: " + printable_line(error.what(), 300));
  }
}

std::optional<Acceleration> recall_acceleration(const KvmHost& host, const Folders& folders) {
  if (!host.device) return no_kvm(host.why_not);
  const auto text = try_read_file(memory_file(folders), kib(64));
  return text ? parse_answer(*text, host.key) : std::nullopt;
}

Acceleration decide_acceleration(spec::Accel wish, const KvmHost& host, const DomainSpec& trial, MachineHost& machines,
                                 Clock& clock, const Folders& folders) {
  if (wish == spec::Accel::tcg) return {Virtualisation::tcg, "TCG: asked for"};
  auto answer = recall_acceleration(host, folders);
  // Who insists on KVM may have mended it since: a remembered failure is tried again.
  const bool insists = wish == spec::Accel::kvm;
  if (!answer || (insists && host.device && answer->use == Virtualisation::tcg)) {
    answer = try_kvm(trial, machines, clock);
    make_folders(folders.state);
    write_file_durably(memory_file(folders), to_json(host.key, *answer));
  }
  if (insists && answer->use != Virtualisation::kvm) refuse_kvm(answer->why);
  return *answer;
}

Acceleration choose_acceleration(spec::Accel wish, const DomainSpec& trial, MachineHost& machines, Clock& clock,
                                 const Folders& folders) {
  return decide_acceleration(wish, look_at_kvm(), trial, machines, clock, folders);
}

std::optional<Acceleration> remembered_acceleration(const Folders& folders) {
  return recall_acceleration(look_at_kvm(), folders);
}

}  // namespace swaprig::host
