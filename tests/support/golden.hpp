#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace swaprig::testing {

/// The folder of the sources, from the test's environment.
inline std::filesystem::path source_folder() {
  const char* folder = std::getenv("SWAPRIG_SOURCE");
  return folder != nullptr ? std::filesystem::path(folder) : std::filesystem::current_path();
}

/// Compares with tests/golden/NAME; SWAPRIG_REGENERATE=1 writes it instead.
inline void check_golden(const std::string& name, const std::string& text) {
  const auto path = source_folder() / "tests" / "golden" / name;
  if (std::getenv("SWAPRIG_REGENERATE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream wanted;
  wanted << file.rdbuf();
  INFO("golden file " << path);
  CHECK(text == wanted.str());
}

}  // namespace swaprig::testing
