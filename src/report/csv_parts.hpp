#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace swaprig::report {

/// RFC 4180: quoted when it holds a comma, a quote or a line break; quotes are doubled.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

/// Shortest text that reads back as the same number; empty when there is none.
template <typename T>
std::string csv_figure(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

}  // namespace swaprig::report
