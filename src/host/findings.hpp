#pragma once

// What is made of the readings; pure, so that every finding has its test.

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "host/acceleration.hpp"
#include "host/host_readings.hpp"
#include "host/preflight.hpp"

namespace swaprig::host {

/// A folder where we keep things, as it was found.
struct FolderState {
  std::filesystem::path path;
  std::string fault;         ///< why nothing can be written there; empty: it works
  Bytes free;                ///< for us
  std::string direct_fault;  ///< why O_DIRECT does not work there; empty: it works

  friend bool operator==(const FolderState&, const FolderState&) = default;
};

/// A program that swaprig calls.
struct NeededProgram {
  std::string name;
  std::string package;  ///< Debian's
  std::string purpose;
  bool can_do_without = false;
};

std::vector<NeededProgram> needed_programs();

Finding judge_kvm(const std::optional<Acceleration>& remembered);
Finding judge_qemu(bool installed, const std::string& version);
Finding judge_libvirt(const std::string& version, bool driver_installed);
Finding judge_program(const NeededProgram& program, bool installed);
Finding judge_memory(const Memory& memory);
Finding judge_host_swap(const Memory& memory);
/// `holds_drives`: O_DIRECT is needed there.
Finding judge_folder(const std::string& what, const FolderState& folder, bool holds_drives);
Finding judge_governor(const std::string& governors);
Finding judge_load(std::optional<double> load, int processors);
Finding judge_ksm(const std::string& run);
Finding judge_huge_pages(const std::string& choice);

/// Why a guest of that size does not fit; empty when it does.
std::string memory_shortage(Bytes available, Bytes guest_memory, Virtualisation virtualisation);

/// Why `needed` bytes do not fit into the folder; empty when they do.
std::string space_shortage(const FolderState& folder, Bytes needed);

}  // namespace swaprig::host
