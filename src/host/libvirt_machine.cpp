#include "host/libvirt_machine.hpp"

#include <libvirt/libvirt-qemu.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "host/block_counters.hpp"

namespace swaprig::host {
namespace {

constexpr std::chrono::seconds k_kill_wait{10};

/// Text that libvirt allocated with malloc.
using Text = std::unique_ptr<char, FreeWith<&std::free>>;

std::string stop_reason(int detail) {
  switch (detail) {
    case VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN:
      return "the guest shut down or rebooted";
    case VIR_DOMAIN_EVENT_STOPPED_DESTROYED:
      return "the guest was destroyed";
    case VIR_DOMAIN_EVENT_STOPPED_CRASHED:
      return "the guest crashed";
    case VIR_DOMAIN_EVENT_STOPPED_FAILED:
      return "QEMU ended by itself or was killed";
    default:
      return "the guest stopped";
  }
}

int on_lifecycle(virConnectPtr, virDomainPtr, int event, int detail, void* ending) {
  (*static_cast<std::shared_ptr<Ending>*>(ending))->record(event, detail);
  return 0;
}

void free_ending(void* ending) { delete static_cast<std::shared_ptr<Ending>*>(ending); }

Process find_qemu(virDomainPtr domain, const std::string& name) {
  std::array<char, VIR_UUID_STRING_BUFLEN> uuid{};
  check(virDomainGetUUIDString(domain, uuid.data()), "asking libvirt for the UUID of guest " + name);
  const auto found =
      find_processes([&](const Process& process) { return is_guest(process, name, std::string(uuid.data())); });
  return found.empty() ? Process{} : found.front();
}

bool is_gone(int code) { return code == VIR_ERR_NO_DOMAIN || code == VIR_ERR_OPERATION_INVALID; }

}  // namespace

void Ending::record(int event, int detail) {
  const std::lock_guard lock(m_mutex);
  if (event == VIR_DOMAIN_EVENT_CRASHED) {
    m_panicked = true;
    m_reason = "the guest's kernel panicked";
  } else if (event == VIR_DOMAIN_EVENT_STOPPED && m_reason.empty()) {
    m_panicked = m_panicked || detail == VIR_DOMAIN_EVENT_STOPPED_CRASHED;
    m_reason = stop_reason(detail);
  }
}

std::string Ending::reason() const {
  const std::lock_guard lock(m_mutex);
  return m_reason;
}

bool Ending::panicked() const {
  const std::lock_guard lock(m_mutex);
  return m_panicked;
}

MachineState machine_state(int state, int reason) {
  switch (state) {
    case VIR_DOMAIN_PAUSED:
      return reason == VIR_DOMAIN_PAUSED_CRASHED ? MachineState::panicked : MachineState::paused;
    case VIR_DOMAIN_PMSUSPENDED:
      return MachineState::paused;
    case VIR_DOMAIN_CRASHED:
      return MachineState::panicked;
    case VIR_DOMAIN_SHUTOFF:
      return reason == VIR_DOMAIN_SHUTOFF_CRASHED ? MachineState::panicked : MachineState::shut_off;
    default:
      return MachineState::running;  // running, blocked, in shutdown
  }
}

RunningMachine::RunningMachine(virConnectPtr connection, DomainHandle domain, const DomainSpec& spec)
    : m_connection(connection),
      m_domain(std::move(domain)),
      m_name(spec.name),
      m_process(find_qemu(m_domain.get(), m_name)),
      m_qemu(m_process),
      m_ending(std::make_shared<Ending>()) {
  for (const auto& drive : spec.drives) m_drives.push_back(drive.drive);
  auto handed_over = std::make_unique<std::shared_ptr<Ending>>(m_ending);
  m_callback =
      virConnectDomainEventRegisterAny(m_connection, m_domain.get(), VIR_DOMAIN_EVENT_ID_LIFECYCLE,
                                       VIR_DOMAIN_EVENT_CALLBACK(&on_lifecycle), handed_over.get(), &free_ending);
  if (m_callback >= 0) static_cast<void>(handed_over.release());
}

RunningMachine::~RunningMachine() {
  try {
    destroy();
  } catch (...) {  // nothing more can be done here; the registered folder leads the next swaprig to it
  }
  if (m_callback >= 0) virConnectDomainEventDeregisterAny(m_connection, m_callback);
}

void RunningMachine::fail(const std::string& doing) {
  try {
    throw_libvirt_error(doing);
  } catch (const LibvirtError& error) {
    if (!is_gone(error.libvirt_code()) || m_ending->reason().empty()) throw;
    throw LibvirtError(doing, "the guest is gone: " + m_ending->reason(), error.libvirt_code());
  }
}

MachineState RunningMachine::state() {
  int state = 0;
  int reason = 0;
  if (m_ending->panicked()) return MachineState::panicked;
  if (virDomainGetState(m_domain.get(), &state, &reason, 0) < 0) {
    // A transient domain is forgotten when it ends.
    if (virGetLastErrorCode() == VIR_ERR_NO_DOMAIN) return MachineState::shut_off;
    fail("asking libvirt for the state of guest " + m_name);
  }
  return machine_state(state, reason);
}

std::string RunningMachine::agent(const std::string& json, std::chrono::seconds timeout) {
  const int seconds = static_cast<int>(std::clamp<std::chrono::seconds::rep>(timeout.count(), 1, 24 * 3600));
  const Text answer(virDomainQemuAgentCommand(m_domain.get(), json.c_str(), seconds, 0));
  if (!answer) fail("asking the agent of guest " + m_name);
  return answer.get();
}

std::string RunningMachine::monitor(const std::string& json) {
  const std::string doing = "asking the monitor of guest " + m_name;
  char* text = nullptr;
  if (virDomainQemuMonitorCommand(m_domain.get(), json.c_str(), &text, 0) < 0) fail(doing);
  const Text answer(text);
  if (const std::string fault = monitor_fault(answer.get()); !fault.empty()) {
    throw LibvirtError(doing, printable_line(fault), VIR_ERR_OPERATION_FAILED);
  }
  return answer.get();
}

std::vector<BlockCounters> RunningMachine::block_counters() {
  return parse_block_counters(monitor(R"({"execute":"query-blockstats"})"), m_drives);
}

void RunningMachine::destroy() {
  // libvirt looks every 200 ms whether QEMU has gone; killed and reaped by us, it has. Where QEMU is another user's
  // this does nothing and libvirt does it all.
  const bool killed = m_process.pid != 0 && m_qemu.kill_and_wait(k_kill_wait);
  if (virDomainDestroy(m_domain.get()) == 0 || killed || is_gone(virGetLastErrorCode())) return;
  fail("destroying guest " + m_name);
}

}  // namespace swaprig::host
