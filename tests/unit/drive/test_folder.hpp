#pragma once

#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/error.hpp"
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

/// The words of the HostError that an action throws; empty when it throws none.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace swaprig::testing
