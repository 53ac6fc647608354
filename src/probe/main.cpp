// The probe: init of the guest, stopwatch and sampler of the workload, and the built-in workloads.

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "probe/init.hpp"
#include "probe/modes.hpp"

namespace {

constexpr int k_wrong_usage = 2;

struct Mode {
  std::string_view name;
  int (*run)(int argc, char** argv);  ///< arguments behind the mode's name
};

constexpr Mode k_modes[] = {
    {"init2", [](int, char**) -> int { swaprig::probe::init_on_root(); }},
    {"run", swaprig::probe::run_mode},
    {"memory", swaprig::probe::memory_mode},
    {"settle", swaprig::probe::settle_mode},
    {"facts", swaprig::probe::facts_mode},
    {"extents", swaprig::probe::extents_mode},
    {"step", swaprig::probe::step_mode},
    {"swapfiles", swaprig::probe::swapfiles_mode},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view own_name = argc > 0 ? argv[0] : "";
  if (getpid() == 1 && own_name == "/init") swaprig::probe::init_in_initrd();
  for (const auto& mode : k_modes) {
    if (argc < 2 || mode.name != argv[1]) continue;
    try {
      return mode.run(argc - 2, argv + 2);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "swaprig-probe %s: %s\n", argv[1], error.what());
      return 1;
    }
  }
  std::fprintf(stderr, "swaprig-probe: this program is started by swaprig in a guest\n");
  return k_wrong_usage;
}
