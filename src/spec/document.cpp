#include "spec/document.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/diagnostic.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "spec/nesting.hpp"

namespace swaprig::spec {
namespace {

Position to_position(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

Node convert(const toml::node& node);

Node::Table convert_table(const toml::table& table) {
  Node::Table entries;
  for (const auto& [key, value] : table) {
    entries.push_back({std::string(key.str()), to_position(key.source()), convert(value)});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  return entries;
}

Node::Array convert_array(const toml::array& array) {
  Node::Array nodes;
  for (const auto& element : array) nodes.push_back(convert(element));
  return nodes;
}

template <typename T>
DateText to_date_text(const T& date) {
  std::ostringstream text;
  text << date;
  return {text.str()};
}

Node convert(const toml::node& node) {
  Node result{to_position(node.source()), {}};
  if (const auto* table = node.as_table()) {
    result.value = convert_table(*table);
  } else if (const auto* array = node.as_array()) {
    result.value = convert_array(*array);
  } else if (const auto* text = node.as_string()) {
    result.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    result.value = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  } else if (const auto* date = node.as_date()) {
    result.value = to_date_text(date->get());
  } else if (const auto* time = node.as_time()) {
    result.value = to_date_text(time->get());
  } else if (const auto* date_time = node.as_date_time()) {
    result.value = to_date_text(date_time->get());
  }
  return result;
}

[[noreturn]] void refuse(const std::string& text, const std::string& path, Position where, std::string message,
                         std::string hint) {
  throw BadInput({{path, where.line, where.column, std::move(message), std::move(hint)}}, text);
}

/// The first byte that is not UTF-8; the text has one.
Position first_broken_byte(std::string_view text) {
  Position where{1, 1};
  for (;;) {
    const auto character = next_character(text);
    if (!character.valid) return where;
    text.remove_prefix(character.length);
    if (character.code == '\n') {
      where = {where.line + 1, 1};
    } else {
      ++where.column;
    }
  }
}

/// The library's own words, which start with "Error while parsing ...".
std::string syntax_message(std::string_view words) {
  constexpr std::string_view k_start = "Error ";
  words = trim(words);
  if (words.starts_with(k_start)) words.remove_prefix(k_start.size());
  return "this is not valid TOML: " + std::string(words);
}

}  // namespace

Node parse_document(const std::string& text, const std::string& path) {
  if (!is_utf8(text)) {
    refuse(text, path, first_broken_byte(text), "this byte is not UTF-8", "save the file as UTF-8 text");
  }
  if (const auto deep = first_too_deep(text, k_deepest)) {
    refuse(text, path, *deep, "nested deeper than " + std::to_string(k_deepest) + " levels",
           "four levels are enough for everything that swaprig reads");
  }
  const auto parsed = toml::parse(std::string_view(text));
  if (!parsed) {
    const auto& error = parsed.error();
    refuse(text, path, to_position(error.source()), syntax_message(error.description()), "");
  }
  return Node{{1, 1}, convert_table(parsed.table())};
}

std::string_view type_name(const Node& node) {
  constexpr std::string_view k_names[] = {
      "a table", "an array", "a string", "an integer", "a number with a fraction", "true or false", "a date"};
  return k_names[node.value.index()];
}

}  // namespace swaprig::spec
