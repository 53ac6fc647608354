#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "spec/document.hpp"

namespace swaprig::spec {

std::string canonical_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string_view canonical_path(std::string_view line) {
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_quotes && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      in_quotes = !in_quotes;
    } else if (!in_quotes && line.substr(i).starts_with(" = ")) {
      return line.substr(0, i);
    }
  }
  return line;
}

namespace {

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

/// Writes the leaves of a tree, one a line.
struct LeafWriter {
  std::string& text;
  std::string path;

  void leaf(std::string_view value) const { text += fmt::format("{} = {}\n", path, value); }

  void operator()(const Node::Table& table) const {
    if (table.empty()) return path.empty() ? void() : leaf("{}");
    std::vector<const Entry*> entries;
    for (const auto& entry : table) entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) { return a->key < b->key; });
    for (const auto* entry : entries) {
      const auto key = is_bare(entry->key) ? entry->key : canonical_string(entry->key);
      std::visit(LeafWriter{text, path.empty() ? key : path + '.' + key}, entry->node.value);
    }
  }

  void operator()(const Node::Array& array) const {
    if (array.empty()) return leaf("[]");
    for (std::size_t i = 0; i < array.size(); ++i) {
      std::visit(LeafWriter{text, fmt::format("{}[{}]", path, i + 1)}, array[i].value);
    }
  }

  void operator()(const std::string& value) const { leaf(canonical_string(value)); }
  void operator()(std::int64_t value) const { leaf(std::to_string(value)); }
  void operator()(double value) const { leaf(fmt::format("{}", value)); }
  void operator()(bool value) const { leaf(value ? "true" : "false"); }
  void operator()(const DateText& value) const { leaf(value.text); }
};

std::set<std::string> lines_of(const std::string& text) {
  auto lines = split(text, '\n');
  std::set<std::string> result(lines.begin(), lines.end());
  result.erase("");
  return result;
}

}  // namespace

std::string canonical_text(const Node& root) {
  std::string text;
  std::visit(LeafWriter{text, ""}, root.value);
  return text;
}

std::vector<std::string> differences(const std::string& canonical_before, const std::string& canonical_now) {
  const auto before = lines_of(canonical_before);
  const auto now = lines_of(canonical_now);
  std::vector<std::string> result;
  for (const auto& line : before) {
    if (!now.contains(line)) result.push_back("- " + line);
  }
  for (const auto& line : now) {
    if (!before.contains(line)) result.push_back("+ " + line);
  }
  std::stable_sort(result.begin(), result.end(), [](const std::string& a, const std::string& b) {
    return canonical_path(std::string_view(a).substr(2)) < canonical_path(std::string_view(b).substr(2));
  });
  return result;
}

}  // namespace swaprig::spec
