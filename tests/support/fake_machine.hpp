#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/machine.hpp"

namespace swaprig::testing {

/// What a fake guest is and what was asked of it; shared, since the code under test owns the machine itself.
struct FakeGuest {
  host::MachineState state = host::MachineState::running;
  int pid = 4242;
  std::vector<host::BlockCounters> counters;
  std::function<std::string(const std::string&)> on_agent;    ///< none: the agent does not answer
  std::function<std::string(const std::string&)> on_monitor;  ///< none: an empty answer
  std::function<host::MachineState()> on_state;               ///< none: `state`

  std::vector<std::string> agent_commands;
  std::vector<std::string> monitor_commands;
  int destroyed = 0;  ///< calls of destroy, the destructor's included
};

class FakeMachine final : public host::Machine {
 public:
  explicit FakeMachine(std::shared_ptr<FakeGuest> guest) : m_guest(std::move(guest)) {}
  ~FakeMachine() override { ++m_guest->destroyed; }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  host::MachineState state() override { return m_guest->on_state ? m_guest->on_state() : m_guest->state; }

  std::string agent(const std::string& json, std::chrono::seconds) override {
    m_guest->agent_commands.push_back(json);
    if (!m_guest->on_agent) throw host::LibvirtError("asking the guest agent", "Guest agent is not responding", 86);
    return m_guest->on_agent(json);
  }

  std::string monitor(const std::string& json) override {
    m_guest->monitor_commands.push_back(json);
    return m_guest->on_monitor ? m_guest->on_monitor(json) : R"({"return":{}})";
  }

  std::vector<host::BlockCounters> block_counters() override { return m_guest->counters; }
  int pid() const override { return m_guest->pid; }

  void destroy() override {
    ++m_guest->destroyed;
    m_guest->state = host::MachineState::shut_off;
  }

 private:
  std::shared_ptr<FakeGuest> m_guest;
};

/// Every machine that it starts is a view of `guest`; `on_start` may write a console, change the guest, or throw.
struct FakeMachineHost final : host::MachineHost {
  std::shared_ptr<FakeGuest> guest = std::make_shared<FakeGuest>();
  std::function<void(const host::DomainSpec&)> on_start;
  std::vector<host::DomainSpec> started;
  std::filesystem::path sockets = "/run/fake";

  std::unique_ptr<host::Machine> start(const host::DomainSpec& spec) override {
    started.push_back(spec);
    if (on_start) on_start(spec);
    return std::make_unique<FakeMachine>(guest);
  }

  std::filesystem::path socket_folder() const override { return sockets; }
  std::string versions() override { return "QEMU 7.2.0, libvirt 9.0.0"; }
};

}  // namespace swaprig::testing
