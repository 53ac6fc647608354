#pragma once

#include <string>
#include <vector>

#include "base/command.hpp"
#include "base/files.hpp"
#include "host/machine.hpp"

namespace swaprig::host {

enum class Fitness { ok, note, warning, unfit };

struct Finding {
  std::string what;  ///< "QEMU", "KVM", "memory", "disk", "host swap", "governor", ...
  Fitness fitness = Fitness::ok;
  std::string text;    ///< what was found
  std::string advice;  ///< what to do; empty when ok
};

/// Everything `doctor` shows; also the cheap check before every run (`programs` false then).
std::vector<Finding> examine_host(CommandRunner& commands, const Folders& folders, bool programs);

/// What processes could take now without swapping (MemAvailable).
Bytes available_memory();

/// Throws HostError when a guest of that size does not fit the memory that is free now (TCG's extra included).
void require_memory(Bytes guest_memory, Virtualisation virtualisation);

/// Throws HostError when the folder is not writable, or less is free than needed.
void require_space(const std::filesystem::path& folder, Bytes needed);

/// Stable facts for the report's "what it was measured on": CPU model, cores, memory, kernel, governor, and so on.
std::vector<std::pair<std::string, std::string>> host_facts(CommandRunner& commands);

}  // namespace swaprig::host
