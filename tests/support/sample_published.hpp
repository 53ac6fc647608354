#pragma once

#include "spec/published.hpp"
#include "support/golden.hpp"
#include "support/sample_simulated.hpp"

namespace swaprig::testing {

/// One of the studies that come with swaprig.
inline spec::Published shipped_study(const std::string& name) {
  return spec::load_published((source_folder() / "experiments" / "published" / (name + ".toml")).string());
}

/// The sample beside the study of swap on an HDD: two scenarios under other names, one left out, one of our own.
inline report::Subject beside_the_study(report::Subject subject) {
  subject.experiment.reference = spec::Reference{"swap-on-hdd-2021",
                                                 shipped_study("swap-on-hdd-2021"),
                                                 {{"RAM only", "RAM only"},
                                                  {"NVMe", "second drive"},
                                                  {"start of the HDD", "start of the HDD"},
                                                  {"swap file on the HDD", "swap file by dd"},
                                                  {"end of the HDD", "end of the HDD"}}};
  subject.experiment.reference->study.path = "swap-on-hdd-2021.toml";
  return subject;
}

}  // namespace swaprig::testing
