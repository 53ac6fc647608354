#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "host/libvirt_handles.hpp"
#include "host/processes.hpp"

namespace swaprig::host {

/// How a guest ended, told by libvirt's lifecycle events; written by the event loop's thread.
class Ending {
 public:
  void record(int event, int detail);
  /// "the guest shut down", "QEMU failed", ...; empty while it runs.
  std::string reason() const;
  bool panicked() const;

 private:
  mutable std::mutex m_mutex;
  std::string m_reason;
  bool m_panicked = false;
};

/// What libvirt's state says: pure, so that the table can be tested without a guest.
MachineState machine_state(int state, int reason);

/// A transient domain that is destroyed with the object.
class RunningMachine final : public Machine {
 public:
  /// Takes over a domain that has just been made from `spec`.
  RunningMachine(virConnectPtr connection, DomainHandle domain, const DomainSpec& spec);
  ~RunningMachine() override;
  RunningMachine(const RunningMachine&) = delete;
  RunningMachine& operator=(const RunningMachine&) = delete;

  MachineState state() override;
  std::string agent(const std::string& json, std::chrono::seconds timeout) override;
  std::string monitor(const std::string& json) override;
  std::vector<BlockCounters> block_counters() override;
  int pid() const override { return m_process.pid; }
  void destroy() override;

 private:
  /// Throws libvirt's last error; says how the guest ended when it is gone.
  [[noreturn]] void fail(const std::string& doing);

  virConnectPtr m_connection;
  DomainHandle m_domain;
  std::string m_name;
  std::vector<std::string> m_drives;
  Process m_process;  ///< QEMU; pid 0 when it is not seen in /proc
  ProcessHandle m_qemu;
  std::shared_ptr<Ending> m_ending;
  int m_callback = -1;
};

}  // namespace swaprig::host
