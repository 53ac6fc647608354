#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace swaprig::spec {

/// Line and column from 1, in characters.
struct Position {
  int line = 0;
  int column = 0;
};

struct Entry;

/// A TOML date, time or both, as it would be written.
struct DateText {
  std::string text;
};

/// A TOML value with the place where it stands.
struct Node {
  using Array = std::vector<Node>;
  using Table = std::vector<Entry>;  ///< in the order of the file

  Position where;
  std::variant<Table, Array, std::string, std::int64_t, double, bool, DateText> value;
};

struct Entry {
  std::string key;
  Position where;  ///< of the key
  Node node;
};

/// Nothing deeper is read; the files of swaprig need four levels.
inline constexpr std::size_t k_deepest = 32;

/// The root table of a TOML text. Throws BadInput when it is no TOML: syntax, not UTF-8, nested too deep.
Node parse_document(const std::string& text, const std::string& path);

/// "a string", "an integer", "a table", ...
std::string_view type_name(const Node& node);

/// One "a.b[1].c = value" line for each leaf; keys sorted, comments and formatting gone.
std::string canonical_text(const Node& root);

/// A string as it stands in canonical text.
std::string canonical_string(std::string_view text);

/// The "a.b[1].c" of a line of canonical text: what stands before the first " = " outside of quotes.
std::string_view canonical_path(std::string_view line);

/// The lines that are in one canonical text alone: "- line" for the first, "+ line" for the second, by key.
std::vector<std::string> differences(const std::string& canonical_before, const std::string& canonical_now);

}  // namespace swaprig::spec
