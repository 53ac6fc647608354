#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "spec/names.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

using namespace std::chrono_literals;

constexpr Range<Bytes> k_memory{mib(64), Bytes{std::uint64_t{1} << 44U}};
constexpr Range<std::chrono::milliseconds> k_boot_timeout{1s, 24h};

/// Kernel arguments that swaprig sets itself; a second one would change what is booted.
constexpr std::array k_own_arguments{"swaprig.", "root=", "init=", "rdinit=", "console=", "mem=", "memmap="};

std::string argument_fault(const std::string& argument) {
  if (argument.empty()) return "a kernel argument may not be empty";
  if (has_control_character(argument) || argument.find_first_of(" \"") != std::string::npos) {
    return "a kernel argument may not hold spaces, quotes or control characters; write one argument a string";
  }
  for (const std::string own : k_own_arguments) {
    if (argument.starts_with(own)) return "the kernel argument " + in_quotes(own) + " is set by swaprig itself";
  }
  return "";
}

std::string sysctl_fault(const std::string& name) {
  if (is_sysctl_name(name)) return "";
  return in_quotes(name) + " is no name of a sysctl; expected one such as \"vm.swappiness\", in quotes";
}

std::string value_fault(const std::string& value) {
  const bool unfit = value.empty() || has_control_character(value);
  return unfit ? "the value of a sysctl may not be empty or hold a control character" : "";
}

void read_image(TableReader& table, Guest& guest, const std::vector<std::string>& image_names) {
  const auto image = table.text("image");
  if (!image) return;
  guest.image = *image;
  if (image_names.empty() || std::find(image_names.begin(), image_names.end(), *image) != image_names.end()) return;
  const auto near = nearest(*image, image_names);
  table.fault("image", "there is no image " + in_quotes(*image),
              (near.empty() ? "" : "did you mean " + in_quotes(near) + "? ") + "try: swaprig image list");
}

}  // namespace

void read_guest(TableReader& table, Guest& guest, const std::vector<std::string>& image_names) {
  const std::array<std::string, 3> accels{"auto", "kvm", "tcg"};
  const std::array<std::string, 3> places{"start", "spread", "end"};
  read_image(table, guest, image_names);
  if (const auto memory = table.size("memory", k_memory)) {
    guest.memory = *memory;
    if (memory->count % mib(1).count != 0) table.fault("memory", "memory has to be a multiple of 1 MiB");
  }
  if (const auto vcpus = table.integer("vcpus", {1, 256})) guest.vcpus = static_cast<int>(*vcpus);
  if (const auto accel = table.choice("accel", accels)) guest.accel = static_cast<Accel>(*accel);
  if (const auto timeout = table.duration("boot_timeout", k_boot_timeout)) guest.boot_timeout = *timeout;
  if (const auto place = table.choice("root_data", places)) guest.root_data = static_cast<RootData>(*place);
  if (auto arguments = table.texts("kernel_arguments", argument_fault)) guest.kernel_arguments = *arguments;
  if (const auto sysctls = table.values("sysctl", sysctl_fault, value_fault)) {
    for (const auto& [name, value] : *sysctls) guest.sysctl[name] = value;
  }
  table.finish();
}

}  // namespace swaprig::spec
