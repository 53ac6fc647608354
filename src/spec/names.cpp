#include "spec/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace swaprig::spec {
namespace {

constexpr std::size_t k_longest_name = 200;   // bytes
constexpr std::size_t k_longest_path = 1000;  // bytes

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first character of a text that is a control character, not counting those in `allowed`; 0 when there is none.
char32_t first_control_character(std::string_view text, std::string_view allowed) {
  while (!text.empty()) {
    const auto character = next_character(text);
    const bool control = character.code < 0x20 || (character.code >= 0x7f && character.code <= 0x9f);
    if (control && allowed.find(text.front()) == std::string_view::npos) return character.code;
    text.remove_prefix(character.length);
  }
  return 0;
}

}  // namespace

std::string name_fault(std::string_view name) {
  if (trim(name).empty()) return "a name may not be empty";
  if (name.size() > k_longest_name) return fmt::format("a name may have at most {} bytes", k_longest_name);
  if (const auto control = first_control_character(name, "\n\t")) {
    return fmt::format("a name may not hold the control character U+{:04X}", static_cast<unsigned>(control));
  }
  return "";
}

std::string folder_fault(std::string_view path) {
  if (!path.starts_with('/')) return in_quotes(path) + " is no absolute path";
  if (path.size() > k_longest_path) return fmt::format("a path may have at most {} bytes", k_longest_path);
  if (has_control_character(path)) return "a path may not hold a control character";
  if (path == "/") return "";
  for (const auto& part : split(path.substr(1), '/')) {
    if (part.empty() || part == "." || part == "..") return "a path may not hold \"//\", \"/./\", \"/../\" or end in /";
  }
  return "";
}

std::string path_fault(std::string_view path) {
  return path == "/" ? "\"/\" is a folder, no file" : folder_fault(path);
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_user_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && (is_letter(name.front()) || name.front() == '_') &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; });
}

bool is_package_name(std::string_view name) {
  return name.size() >= 2 && (is_lower(name.front()) || is_digit(name.front())) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_sysctl_name(std::string_view name) {
  const auto parts = split(name, '.');
  return parts.size() >= 2 && std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
             return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == ':' || c == '@';
           });
         });
}

bool has_control_character(std::string_view text) { return first_control_character(text, "") != 0; }

std::string NameList::fault_of(const std::string& name) {
  if (auto fault = name_fault(name); !fault.empty()) return fault;
  const auto [used, is_new] = m_by_slug.emplace(slug(name), name);
  if (is_new) return "";
  if (used->second == name) return fmt::format("there is another {} {}", m_sort, in_quotes(name));
  return fmt::format("{} {} would be stored under the same file name as {}", m_sort, in_quotes(name),
                     in_quotes(used->second));
}

void NameList::add(const std::string& name, TableReader& table, std::string_view key) {
  if (auto fault = fault_of(name); !fault.empty()) table.fault(key, std::move(fault), "give it another name");
}

void NameList::add_at_key(const std::string& name, TableReader& parent) {
  if (auto fault = fault_of(name); !fault.empty()) {
    parent.fault_at_key(name, std::move(fault), "give it another name");
  }
}

}  // namespace swaprig::spec
