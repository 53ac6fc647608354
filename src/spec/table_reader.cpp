#include "spec/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/scaled_number.hpp"
#include "base/text.hpp"
#include "spec/fault_words.hpp"

namespace swaprig::spec {
namespace {

constexpr std::string_view k_size_example = "a size such as \"2 GiB\"";
constexpr std::string_view k_duration_example = "a duration such as \"90 s\"";
constexpr std::string_view k_percentage_example = "a percentage such as \"10 %\"";

/// Percentages are read in millionths of a percent.
constexpr NamedUnit k_percent[] = {{"%", 1'000'000}};
constexpr double k_percent_scale = 1e8;

constexpr std::string_view k_size_units = "units: B, KiB, MiB, GiB, TiB (1024), kB, MB, GB, TB (1000)";
constexpr std::string_view k_duration_units = "units: ms, s, min, h, d";

std::string as_text(Bytes bytes) { return in_quotes(exact(bytes)); }
std::string as_text(std::chrono::milliseconds value) { return in_quotes(exact(Nanoseconds(value))); }
std::string as_text(std::int64_t value) { return std::to_string(value); }
std::string as_text(double value) { return fmt::format("{}", value); }

template <typename T>
std::string out_of_range(std::string_view key, Range<T> range) {
  return fmt::format("{} has to be from {} to {}", key, as_text(range.least), as_text(range.most));
}

template <typename T>
bool within(T value, Range<T> range) {
  return value >= range.least && value <= range.most;
}

/// A number of a million and more is hardly meant in MiB.
std::string unit_hint(std::int64_t number, std::string_view unit) {
  if (unit == "MiB" && number >= 1'000'000) unit = "B";
  return fmt::format("write the unit: \"{} {}\"", number, unit);
}

}  // namespace

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string suggest(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t k_most_listed = 24;
  if (const auto near = nearest(name, candidates); !near.empty()) return "did you mean " + in_quotes(near) + "?";
  if (candidates.empty()) return "";
  std::vector<std::string> quoted;
  for (const auto& candidate : candidates.first(std::min(candidates.size(), k_most_listed))) {
    quoted.push_back(in_quotes(candidate));
  }
  return "there is: " + join(quoted, ", ") + (candidates.size() > k_most_listed ? ", ..." : "");
}

void Faults::add(Position where, std::string message, std::string hint) {
  m_diagnostics.push_back({m_path, where.line, where.column, std::move(message), std::move(hint)});
}

void Faults::throw_if_any(const std::string& text) {
  if (m_diagnostics.empty()) return;
  sort_diagnostics(m_diagnostics);
  throw BadInput(std::move(m_diagnostics), text);
}

TableReader::TableReader(const Node::Table& table, Position where, Faults& faults, std::string what)
    : m_table(&table), m_where(where), m_faults(&faults), m_what(std::move(what)) {}

const Entry* TableReader::find(std::string_view key) const {
  const auto found = std::find_if(m_table->begin(), m_table->end(), [&](const Entry& e) { return e.key == key; });
  return found == m_table->end() ? nullptr : &*found;
}

const Entry* TableReader::take(std::string_view key) {
  m_known.emplace(key);
  return find(key);
}

std::optional<std::string> TableReader::peek(std::string_view key) const {
  const auto* entry = find(key);
  const auto* text = entry != nullptr ? std::get_if<std::string>(&entry->node.value) : nullptr;
  return text != nullptr ? std::optional<std::string>(*text) : std::nullopt;
}

std::vector<std::string> TableReader::keys() const {
  std::vector<std::string> result;
  for (const auto& entry : *m_table) result.push_back(entry.key);
  return result;
}

void TableReader::wrong_type(const Node& node, std::string_view key, std::string_view expected, std::string hint) {
  m_faults->add(node.where, fmt::format("{}: expected {}, found {}", key, expected, type_name(node)), std::move(hint));
}

bool TableReader::is_whole(const Node& node, const std::string& text) {
  if (text.find('\0') == std::string::npos) return true;
  m_faults->add(node.where, "a text may not hold the character U+0000");
  return false;
}

template <typename T>
const T* TableReader::read(std::string_view key, std::string_view expected, std::string_view unit) {
  const auto* entry = take(key);
  if (entry == nullptr) return nullptr;
  if (const auto* value = std::get_if<T>(&entry->node.value)) return value;
  const auto* bare = unit.empty() ? nullptr : std::get_if<std::int64_t>(&entry->node.value);
  wrong_type(entry->node, key, expected, bare != nullptr ? unit_hint(*bare, unit) : "");
  return nullptr;
}

std::optional<std::string> TableReader::text(std::string_view key) {
  const auto* text = read<std::string>(key, "a string");
  if (text == nullptr || !is_whole(find(key)->node, *text)) return std::nullopt;
  return *text;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key, Range<std::int64_t> range) {
  const auto* value = read<std::int64_t>(key, "an integer");
  if (value == nullptr) return std::nullopt;
  if (within(*value, range)) return *value;
  fault(key, out_of_range(key, range));
  return std::nullopt;
}

std::optional<double> TableReader::number(std::string_view key, Range<double> range) {
  const auto* entry = find(key);
  const auto* whole = entry != nullptr ? std::get_if<std::int64_t>(&entry->node.value) : nullptr;
  const auto* real = whole == nullptr ? read<double>(key, "a number") : nullptr;
  if (whole == nullptr && real == nullptr) return std::nullopt;
  take(key);
  const double value = whole != nullptr ? static_cast<double>(*whole) : *real;
  if (within(value, range)) return value;
  fault(key, out_of_range(key, range));
  return std::nullopt;
}

std::optional<bool> TableReader::boolean(std::string_view key) {
  const auto* value = read<bool>(key, "true or false");
  return value != nullptr ? std::optional<bool>(*value) : std::nullopt;
}

std::optional<Bytes> TableReader::size(std::string_view key, Range<Bytes> range) {
  const auto* text = read<std::string>(key, k_size_example, "MiB");
  return text != nullptr ? as_size(find(key)->node.where, key, *text, range) : std::nullopt;
}

std::optional<Bytes> TableReader::as_size(Position where, std::string_view key, const std::string& text,
                                          Range<Bytes> range) {
  const auto parsed = parse_size(text);
  if (parsed.fault == SizeFault::none && within(parsed.bytes, range)) return parsed.bytes;
  if (parsed.fault == SizeFault::none) {
    m_faults->add(where, out_of_range(key, range));
  } else {
    m_faults->add(where, fmt::format("{}: expected {}, but {}", key, k_size_example, fault_words(parsed.fault)),
                  std::string(k_size_units));
  }
  return std::nullopt;
}

std::optional<std::vector<Bytes>> TableReader::sizes(std::string_view key, Range<Bytes> range,
                                                     const std::function<std::string(Bytes)>& check) {
  const auto* array = read<Node::Array>(key, "an array of sizes");
  if (array == nullptr) return std::nullopt;
  std::vector<Bytes> result;
  for (const auto& node : *array) {
    const auto* text = std::get_if<std::string>(&node.value);
    if (text == nullptr) {
      const auto* bare = std::get_if<std::int64_t>(&node.value);
      wrong_type(node, key, k_size_example, bare != nullptr ? unit_hint(*bare, "MiB") : "");
    } else if (const auto size = as_size(node.where, key, *text, range)) {
      report(node.where, check(*size));
      result.push_back(*size);
    }
  }
  return result;
}

std::optional<std::chrono::milliseconds> TableReader::duration(std::string_view key,
                                                               Range<std::chrono::milliseconds> range) {
  const auto* text = read<std::string>(key, k_duration_example, "s");
  if (text == nullptr) return std::nullopt;
  const auto parsed = parse_duration(*text);
  const auto value = std::chrono::floor<std::chrono::milliseconds>(parsed.value);
  if (parsed.fault == DurationFault::none && value == parsed.value && within(value, range)) return value;
  if (parsed.fault != DurationFault::none) {
    fault(key, fmt::format("{}: expected {}, but {}", key, k_duration_example, fault_words(parsed.fault)),
          std::string(k_duration_units));
  } else {
    fault(key, out_of_range(key, range) + (value == parsed.value ? "" : ", in whole milliseconds"));
  }
  return std::nullopt;
}

std::optional<double> TableReader::percentage(std::string_view key, Range<double> range) {
  const auto* text = read<std::string>(key, k_percentage_example, "%");
  if (text == nullptr) return std::nullopt;
  const auto parsed = parse_scaled_number(*text, k_percent);
  const double value = static_cast<double>(parsed.value) / k_percent_scale;
  if (parsed.fault == NumberFault::none && within(value, range)) return value;
  if (parsed.fault == NumberFault::none) {
    fault(key, fmt::format("{} has to be from \"{} %\" to \"{} %\"", key, range.least * 100, range.most * 100));
  } else {
    fault(key, fmt::format("{}: expected {}, but {}", key, k_percentage_example, fault_words(parsed.fault)));
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> TableReader::texts(std::string_view key, const TextCheck& check) {
  const auto* array = read<Node::Array>(key, "an array of strings");
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> result;
  for (const auto& node : *array) {
    const auto* text = std::get_if<std::string>(&node.value);
    if (text == nullptr) {
      wrong_type(node, key, "a string");
    } else if (is_whole(node, *text)) {
      report(node.where, check(*text));
      result.push_back(*text);
    }
  }
  return result;
}

std::optional<std::map<std::string, std::string>> TableReader::values(std::string_view key, const TextCheck& check_name,
                                                                      const TextCheck& check_value) {
  const auto* table = read<Node::Table>(key, "a table such as { \"name\" = \"value\" }");
  if (table == nullptr) return std::nullopt;
  std::map<std::string, std::string> result;
  for (const auto& entry : *table) {
    const auto value = as_value(entry);
    if (!value && std::holds_alternative<Node::Table>(entry.node.value)) continue;
    report(entry.where, check_name(entry.key));
    if (!value) continue;
    report(entry.node.where, check_value(*value));
    result[entry.key] = *value;
  }
  return result;
}

std::optional<std::string> TableReader::as_value(const Entry& entry) {
  const auto& value = entry.node.value;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "1" : "0";
  if (const auto* text = std::get_if<std::string>(&value)) {
    return is_whole(entry.node, *text) ? std::optional(*text) : std::nullopt;
  }
  const bool is_table = std::holds_alternative<Node::Table>(value);
  wrong_type(entry.node, entry.key, "a string, an integer or true or false",
             is_table ? "a name with dots needs quotes: \"vm.swappiness\" = 60" : "");
  return std::nullopt;
}

std::optional<TableReader> TableReader::table(std::string_view key, std::string what) {
  const auto* table = read<Node::Table>(key, "a table");
  if (table == nullptr) return std::nullopt;
  return TableReader(*table, find(key)->where, *m_faults, std::move(what));
}

std::optional<std::vector<TableReader>> TableReader::tables(std::string_view key, const std::string& what) {
  const auto* array = read<Node::Array>(key, "an array of tables");
  if (array == nullptr) return std::nullopt;
  std::vector<TableReader> result;
  for (const auto& node : *array) {
    if (const auto* table = std::get_if<Node::Table>(&node.value)) {
      result.emplace_back(*table, node.where, *m_faults, what);
    } else {
      wrong_type(node, key, "a table");
    }
  }
  return result;
}

std::optional<Node::Table> TableReader::overlaid(std::string_view key) {
  const auto* over = read<Node::Table>(key, "a table");
  if (over == nullptr) return std::nullopt;
  auto merged = *over;
  for (const auto& entry : *m_table) {
    const bool replaced = entry.key == key || std::any_of(over->begin(), over->end(), [&](const Entry& other) {
                            return other.key == entry.key;
                          });
    if (!replaced) merged.push_back(entry);
  }
  return merged;
}

std::optional<std::size_t> TableReader::choice(std::string_view key, std::span<const std::string> choices) {
  const auto value = text(key);
  if (!value) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), *value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fault(key, fmt::format("{}: {} is unknown", key, in_quotes(*value)), suggest(*value, choices));
  return std::nullopt;
}

void TableReader::require(std::string_view key, std::string_view example) {
  if (take(key) != nullptr) return;
  fault_here(fmt::format("{} has no {}", m_what, key), fmt::format("write {}", example));
}

void TableReader::fault(std::string_view key, std::string message, std::string hint) {
  const auto* entry = find(key);
  m_faults->add(entry != nullptr ? entry->node.where : m_where, std::move(message), std::move(hint));
}

void TableReader::fault_at_key(std::string_view key, std::string message, std::string hint) {
  const auto* entry = find(key);
  m_faults->add(entry != nullptr ? entry->where : m_where, std::move(message), std::move(hint));
}

void TableReader::fault_here(std::string message, std::string hint) {
  m_faults->add(m_where, std::move(message), std::move(hint));
}

void TableReader::report(Position where, std::string message) {
  if (!message.empty()) m_faults->add(where, std::move(message));
}

void TableReader::finish() {
  const std::vector<std::string> known(m_known.begin(), m_known.end());
  for (const auto& entry : *m_table) {
    if (m_known.contains(entry.key)) continue;
    m_faults->add(entry.where, fmt::format("{} has no key {}", m_what, in_quotes(entry.key)),
                  suggest(entry.key, known));
  }
}

}  // namespace swaprig::spec
