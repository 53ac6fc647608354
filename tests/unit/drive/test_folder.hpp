#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "support/catch.hpp"

namespace swaprig::testing {

/// A folder in the build tree: /tmp may be a tmpfs, on which no drive can be made.
class TestFolder {
 public:
  TestFolder() : m_path(std::filesystem::current_path() / "drive-test-XXXXXX") {
    std::string name = m_path.string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    m_path = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace swaprig::testing
