#pragma once

#include <optional>
#include <string>

#include "host/acceleration.hpp"

namespace swaprig::host {

/// What an answer about KVM holds for.
struct KvmKey {
  std::string boot;    ///< the host's boot id
  std::string kernel;  ///< the host's kernel release
  std::string qemu;    ///< path, size and time of QEMU's program
  std::string cpu;     ///< model

  friend bool operator==(const KvmKey&, const KvmKey&) = default;
};

/// This host as far as KVM goes.
struct KvmHost {
  bool device = false;  ///< /dev/kvm opens for reading and writing
  std::string why_not;  ///< "no /dev/kvm on this host"; empty with a device
  KvmKey key;
};

KvmHost look_at_kvm();

std::string to_json(const KvmKey& key, const Acceleration& answer);
/// The answer in the text when it is for that key; nothing otherwise.
std::optional<Acceleration> parse_answer(const std::string& text, const KvmKey& key);

/// Boots `trial` under KVM and waits for our init's line on its console, at most 20 s. Never throws for a guest that
/// does not come up: that is the answer.
Acceleration try_kvm(const DomainSpec& trial, MachineHost& machines, Clock& clock);

/// choose_acceleration on a host given as a value.
Acceleration decide_acceleration(spec::Accel wish, const KvmHost& host, const DomainSpec& trial, MachineHost& machines,
                                 Clock& clock, const Folders& folders);

/// remembered_acceleration on a host given as a value.
std::optional<Acceleration> recall_acceleration(const KvmHost& host, const Folders& folders);

/// What our init prints on the console once it runs.
inline constexpr const char* k_init_ready = "swaprig: init ready";

}  // namespace swaprig::host
