#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spec/table_reader.hpp"

namespace swaprig::spec {

/// What is wrong with a name that people give (scenario, drive, partition); empty when it may be used. Spaces,
/// quotes, umlauts, '<', newline and tab are allowed; other control characters and an empty name are not.
std::string name_fault(std::string_view name);

/// What is wrong with an absolute path of a file in the guest: "..", "//", a control character, no file name.
std::string path_fault(std::string_view path);
/// The same for a folder; "/" is one.
std::string folder_fault(std::string_view path);

bool is_variable_name(std::string_view name);
bool is_user_name(std::string_view name);
/// As Debian's policy says (5.6.1): lower case letters, digits, plus, minus, dot; at least two, the first no sign.
bool is_package_name(std::string_view name);
/// "vm.swappiness": parts of letters, digits, '_', '-', ':', '@' with dots between.
bool is_sysctl_name(std::string_view name);
bool has_control_character(std::string_view text);

/// Names of one sort, which have to differ from each other, and still after `slug`, since files are called so.
class NameList {
 public:
  explicit NameList(std::string sort) : m_sort(std::move(sort)) {}

  /// Reports an unfit or used name at `key` of the table.
  void add(const std::string& name, TableReader& table, std::string_view key);
  void add_at_key(const std::string& name, TableReader& parent);

 private:
  std::string fault_of(const std::string& name);

  std::string m_sort;
  std::map<std::string, std::string> m_by_slug;
};

}  // namespace swaprig::spec
