#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/diagnostic.hpp"
#include "base/duration.hpp"
#include "spec/document.hpp"

namespace swaprig::spec {

/// The faults of one file while it is read.
class Faults {
 public:
  explicit Faults(std::string path) : m_path(std::move(path)) {}

  void add(Position where, std::string message, std::string hint = "");
  std::size_t count() const { return m_diagnostics.size(); }
  /// Throws BadInput with all of them, sorted, when there are any.
  void throw_if_any(const std::string& text);

 private:
  std::string m_path;
  std::vector<Diagnostic> m_diagnostics;
};

/// What is wrong with a text, or nothing.
using TextCheck = std::function<std::string(const std::string&)>;

template <typename T>
struct Range {
  T least;
  T most;
};

/// A checked view on one table. Every getter remembers its key as a valid one, reports a value of a wrong type or
/// out of range, and returns nothing when the key is not there or wrong; `finish` reports the keys nobody asked for.
/// Refers to the document and to the faults; both must outlive it.
class TableReader {
 public:
  /// `what` names the table in messages: "[guest]", "this scenario".
  TableReader(const Node::Table& table, Position where, Faults& faults, std::string what);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The string under a key without any check or trace; nothing when it is no string.
  std::optional<std::string> peek(std::string_view key) const;
  std::vector<std::string> keys() const;
  Position where() const { return m_where; }

  std::optional<std::string> text(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, Range<std::int64_t> range);
  std::optional<double> number(std::string_view key, Range<double> range);
  std::optional<bool> boolean(std::string_view key);
  std::optional<Bytes> size(std::string_view key, Range<Bytes> range);
  /// An array of sizes, each within the range; `check` reports each unfit one at its place.
  std::optional<std::vector<Bytes>> sizes(std::string_view key, Range<Bytes> range,
                                          const std::function<std::string(Bytes)>& check);
  std::optional<std::chrono::milliseconds> duration(std::string_view key, Range<std::chrono::milliseconds> range);
  /// "10 %" as 0.1
  std::optional<double> percentage(std::string_view key, Range<double> range);
  /// An array of strings; `check` reports each unfit one at its place.
  std::optional<std::vector<std::string>> texts(std::string_view key, const TextCheck& check);
  /// A table of strings, integers and booleans, all as text; booleans become "1" and "0".
  std::optional<std::map<std::string, std::string>> values(std::string_view key, const TextCheck& check_name,
                                                           const TextCheck& check_value);
  std::optional<TableReader> table(std::string_view key, std::string what);
  std::optional<std::vector<TableReader>> tables(std::string_view key, const std::string& what);

  /// This table's entries with those of the table under `key` in their place, and without `key` itself. Nothing when
  /// there is no table under `key` (then its fault was reported).
  std::optional<Node::Table> overlaid(std::string_view key);
  /// A reader of another table at this one's place, with the same faults. `table` has to outlive it.
  TableReader with(const Node::Table& table, std::string what) const { return {table, m_where, *m_faults, std::move(what)}; }

  /// One of `choices`, with the nearest one as hint; returns its index.
  std::optional<std::size_t> choice(std::string_view key, std::span<const std::string> choices);

  /// Reports that the key is missing, unless it is there (then its own fault was reported already).
  void require(std::string_view key, std::string_view example);
  /// Faults at the key's value (the table when it is not there), at the key, at the table.
  void fault(std::string_view key, std::string message, std::string hint = "");
  void fault_at_key(std::string_view key, std::string message, std::string hint = "");
  void fault_here(std::string message, std::string hint = "");

  /// The key is known, whatever is under it: its fault was reported already.
  void ignore(std::string_view key) { take(key); }

  /// Reports every key that was not asked for, with the nearest one that was.
  void finish();

 private:
  const Entry* find(std::string_view key) const;
  const Entry* take(std::string_view key);
  /// The value under a key when it is of type T; else reports what was expected. `unit` is for the hint at a bare
  /// number.
  template <typename T>
  const T* read(std::string_view key, std::string_view expected, std::string_view unit = "");
  void wrong_type(const Node& node, std::string_view key, std::string_view expected, std::string hint = "");
  /// False, and reported, when the text holds a NUL, which would cut it short in a command line.
  bool is_whole(const Node& node, const std::string& text);
  void report(Position where, std::string message);
  /// The text as a size within the range; else reports at `where` what is wrong with it.
  std::optional<Bytes> as_size(Position where, std::string_view key, const std::string& text, Range<Bytes> range);
  /// A string, integer or boolean as text.
  std::optional<std::string> as_value(const Entry& entry);

  const Node::Table* m_table;
  Position m_where;
  Faults* m_faults;
  std::string m_what;
  std::set<std::string> m_known;
};

/// For messages: the text in quotes.
std::string in_quotes(std::string_view text);

/// "did you mean \"NAME\"?" when a candidate is near, else the list of them.
std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace swaprig::spec
