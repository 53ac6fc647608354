#include "image/apt_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::image {
namespace {

/// Other components belong to archives that only lean on Debian's names.
constexpr std::array<std::string_view, 4> k_components{"main", "contrib", "non-free", "non-free-firmware"};

/// apt leaves the name of a field that it does not know as it stands.
std::string known(const std::string& field) { return field.starts_with("$(") ? std::string() : field; }

bool belongs_to(const IndexTarget& target, std::string_view suite) {
  const auto& name = target.codename.empty() ? target.release : target.codename;
  return name == suite || name == std::string(suite) + "-updates" || name == std::string(suite) + "-security" ||
         target.release == suite;
}

bool is_debian_component(const std::string& component) {
  return std::find(k_components.begin(), k_components.end(), component) != k_components.end();
}

std::string usable_key(std::string_view value) {
  const auto key = std::string(trim(value));
  return key.starts_with('/') && key.find_first_of(" \t\n\"]") == std::string::npos ? key : std::string();
}

std::string signed_by_of_stanza(std::string_view text, int wanted) {
  int stanza = 0;
  bool inside = false;
  for (const auto& line : split(text, '\n')) {
    if (trim(line).empty()) {
      inside = false;
      continue;
    }
    if (line.starts_with('#')) continue;
    if (!inside) ++stanza;
    inside = true;
    constexpr std::string_view k_field = "signed-by:";
    std::string lower = line.substr(0, k_field.size());
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (stanza == wanted && lower == k_field) return usable_key(std::string_view(line).substr(k_field.size()));
  }
  return {};
}

std::string signed_by_of_line(std::string_view text, int wanted) {
  const auto lines = split(text, '\n');
  if (wanted < 1 || static_cast<std::size_t>(wanted) > lines.size()) return {};
  const auto& line = lines[static_cast<std::size_t>(wanted) - 1];
  const auto open = line.find('[');
  const auto close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  for (const auto& option : split_words(std::string_view(line).substr(open + 1, close - open - 1))) {
    if (option.starts_with("signed-by=")) return usable_key(option.substr(10));
  }
  return {};
}

std::string key_from_file(const std::string& entry) {
  const auto colon = entry.rfind(':');
  if (colon == std::string::npos) return {};
  int number = 0;
  std::from_chars(entry.data() + colon + 1, entry.data() + entry.size(), number);
  const auto path = entry.substr(0, colon);
  const auto text = try_read_file(path);
  return text ? signed_by(*text, path.ends_with(".sources"), number) : std::string();
}

/// The host's answer, or an empty text: without apt's settings mmdebstrap still has defaults of its own.
std::string ask(CommandRunner& commands, const Command& command) {
  if (!commands.find(command.program)) return {};
  auto result = commands.run(command);
  return result.status == 0 ? std::move(result.out) : std::string();
}

}  // namespace

Command index_targets_command() {
  return {.program = "apt-get",
          .arguments = {"indextargets", "--format",
                        "$(CREATED_BY)|$(TARGET_OF)|$(REPO_URI)|$(CODENAME)|$(RELEASE)|$(COMPONENT)|$(ARCHITECTURE)|"
                        "$(SOURCESENTRY)"}};
}

std::vector<IndexTarget> parse_index_targets(std::string_view text) {
  std::vector<IndexTarget> targets;
  for (const auto& line : split(text, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() != 8 || fields[0] != "Packages" || fields[1] != "deb") continue;
    targets.push_back(
        {fields[2], known(fields[3]), known(fields[4]), known(fields[5]), known(fields[6]), known(fields[7])});
  }
  return targets;
}

std::string signed_by(std::string_view text, bool deb822, int entry) {
  return deb822 ? signed_by_of_stanza(text, entry) : signed_by_of_line(text, entry);
}

std::vector<std::string> source_lines(const std::vector<IndexTarget>& targets, std::string_view suite,
                                      const std::function<std::string(const std::string&)>& key_of) {
  struct Line {
    std::string head;
    std::vector<std::string> components;
  };
  std::vector<Line> lines;
  bool has_suite = false;
  for (const auto& target : targets) {
    if (!belongs_to(target, suite) || !is_debian_component(target.component)) continue;
    has_suite = has_suite || target.codename == suite || target.release == suite;
    const auto key = key_of(target.entry);
    const auto head =
        fmt::format("deb {}{} {}", key.empty() ? "" : "[signed-by=" + key + "] ", target.uri, target.release);
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.head == head; });
    if (line == lines.end()) line = lines.insert(lines.end(), Line{head, {}});
    auto& components = line->components;
    if (std::find(components.begin(), components.end(), target.component) == components.end()) {
      components.push_back(target.component);
    }
  }
  std::vector<std::string> result;
  if (!has_suite) return result;
  for (const auto& line : lines) result.push_back(line.head + ' ' + join(line.components, " "));
  return result;
}

AptSettings parse_apt_config(std::string_view dump) {
  AptSettings settings;
  for (const auto& line : split(dump, '\n')) {
    const auto space = line.find(" \"");
    if (space == std::string::npos || !line.ends_with("\";")) continue;
    const auto name = line.substr(0, space);
    const auto value = line.substr(space + 2, line.size() - space - 4);
    if (value.empty()) continue;
    for (const char* scheme : {"http", "https", "ftp"}) {
      if (name == fmt::format("Acquire::{}::Proxy", scheme)) {
        settings.environment[std::string(scheme) + "_proxy"] = value == "DIRECT" ? "" : value;
      }
    }
    for (const char* option : {"Acquire::Check-Valid-Until", "Acquire::Check-Date", "Acquire::Retries"}) {
      if (name == option) settings.options.push_back(line);
    }
  }
  return settings;
}

HostApt ask_host_apt(CommandRunner& commands, std::string_view suite) {
  const auto targets = parse_index_targets(ask(commands, index_targets_command()));
  const Command config{.program = "apt-config", .arguments = {"dump"}};
  return {source_lines(targets, suite, key_from_file), parse_apt_config(ask(commands, config))};
}

}  // namespace swaprig::image
