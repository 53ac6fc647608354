#include "history/epoch.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "spec/document.hpp"

namespace swaprig::history {

namespace {

/// Readings that may change without the machine being another one; whatever else is stored is stable.
constexpr std::array<std::string_view, 3> k_wandering{"governor", "distribution", "libvirt"};
constexpr std::array<std::string_view, 3> k_shared{"guest.", "drives.", "workload."};
constexpr std::string_view k_equals = " = ";

bool is_stable(const std::string& fact) {
  return std::find(k_wandering.begin(), k_wandering.end(), fact) == k_wandering.end();
}

bool is_shared(std::string_view path) {
  return std::any_of(k_shared.begin(), k_shared.end(), [&](auto prefix) { return path.starts_with(prefix); });
}

}  // namespace

Facts stable_facts(const Facts& host_facts, const std::string& canonical, const std::map<std::string, std::string>& files,
                   const std::string& scenario) {
  Facts facts;
  for (const auto& fact : host_facts) {
    if (is_stable(fact.first)) facts.push_back(fact);
  }
  const auto name = spec::canonical_string(scenario);
  std::map<std::string, Facts, std::less<>> scenarios;  // by "scenarios[1]."
  std::string own;
  for (const auto& line : split(canonical, '\n')) {
    const std::string path(spec::canonical_path(line));
    if (path.size() == line.size()) continue;
    const auto value = line.substr(path.size() + k_equals.size());
    if (is_shared(path)) facts.emplace_back(path, value);
    if (path.starts_with("drives.") && path.ends_with(".simulate")) {
      for (const auto& [file, text] : files) {
        if (spec::canonical_string(file) == value) facts.emplace_back("profile " + file, sha256(text).substr(0, 8));
      }
    }
    if (!path.starts_with("scenarios[")) continue;
    const auto table = path.substr(0, path.find('.') + 1);
    if (path != table + "name") {
      scenarios[table].emplace_back("scenario." + path.substr(table.size()), value);
    } else if (value == name) {
      own = table;
    }
  }
  if (!own.empty()) facts.insert(facts.end(), scenarios[own].begin(), scenarios[own].end());
  return facts;
}

std::string epoch_of(const Facts& stable) {
  std::string text;
  for (const auto& [name, value] : stable) text += name + "\n" + value + "\n\n";
  return sha256(text).substr(0, 8);
}

std::vector<std::string> differences(const Facts& first, const Facts& second) {
  const std::map<std::string, std::string> before(first.begin(), first.end());
  const std::map<std::string, std::string> after(second.begin(), second.end());
  std::vector<std::string> lines;
  for (const auto& [name, value] : before) {
    const auto found = after.find(name);
    if (found != after.end() && found->second == value) continue;
    lines.push_back("- " + name + ": " + value);
    if (found != after.end()) lines.push_back("+ " + name + ": " + found->second);
  }
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) lines.push_back("+ " + name + ": " + value);
  }
  return lines;
}

}  // namespace swaprig::history
