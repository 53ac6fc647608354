#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace swaprig {
namespace {

constexpr std::size_t k_message_limit = 4000;
constexpr std::size_t k_before_caret = 80;  ///< characters of a long line shown on either side of the caret
constexpr std::size_t k_shown = 160;

auto position(const Diagnostic& d) { return std::tie(d.file, d.line, d.column, d.message, d.hint); }

std::string_view source_line(std::string_view source, int line) {
  for (int i = 1; i < line; ++i) {
    const auto end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find('\n'));
  if (source.ends_with('\r')) source.remove_suffix(1);
  return source;
}

/// How one character of the source is shown; a tab takes four columns.
std::string shown(std::string_view character) { return character == "\t" ? "    " : printable_line(character); }

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_utf8_continuation(c); }));
}

struct Excerpt {
  std::string text;
  std::size_t caret = 0;  ///< columns before the caret
};

/// The part of the line around the column; a column past the end points behind the last character.
Excerpt excerpt(std::string_view line, std::size_t column) {
  const std::size_t first = column > k_before_caret ? column - k_before_caret : 1;
  Excerpt result;
  if (first > 1) result.text = "...";
  std::size_t index = 1;
  for (; !line.empty(); ++index) {
    const auto bytes = line.substr(0, next_character(line).length);
    line.remove_prefix(bytes.size());
    if (index == column) result.caret = width(result.text);
    if (index >= first) result.text += shown(bytes);
    if (index >= first + k_shown && !line.empty()) {
      result.text += "...";
      break;
    }
  }
  if (index <= column) result.caret = width(result.text);
  return result;
}

/// Edit distance where swapping two neighbours counts one (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string render_all(const std::vector<Diagnostic>& diagnostics, std::string_view source) {
  std::string text;
  for (const auto& diagnostic : diagnostics) text += render(diagnostic, source);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

void sort_diagnostics(std::vector<Diagnostic>& diagnostics) {
  std::sort(diagnostics.begin(), diagnostics.end(),
            [](const Diagnostic& a, const Diagnostic& b) { return position(a) < position(b); });
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end()), diagnostics.end());
}

std::string render(const Diagnostic& diagnostic, std::string_view source) {
  std::string text = printable_line(diagnostic.file, k_message_limit);
  if (diagnostic.line > 0) text += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  text += fmt::format(": error: {}\n", printable_line(diagnostic.message, k_message_limit));
  if (diagnostic.line > 0) {
    const auto part =
        excerpt(source_line(source, diagnostic.line), static_cast<std::size_t>(std::max(diagnostic.column, 1)));
    const auto number = std::to_string(diagnostic.line);
    text += fmt::format("  {} | {}\n", number, part.text);
    text += fmt::format("  {:{}} | {:{}}^\n", "", number.size(), "", part.caret);
  }
  if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", printable_line(diagnostic.hint, k_message_limit));
  return text;
}

BadInput::BadInput(std::vector<Diagnostic> diagnostics, std::string source)
    : std::runtime_error(render_all(diagnostics, source)),
      m_diagnostics(std::move(diagnostics)),
      m_source(std::move(source)) {}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t k_longest = 200;
  if (name.size() > k_longest) return {};
  std::size_t best = name.size() / 3 + 2;
  std::string result;
  for (const auto& candidate : candidates) {
    if (candidate.size() > 2 * k_longest) continue;
    const auto found = distance(name, candidate);
    if (found < best) {
      best = found;
      result = candidate;
    }
  }
  return result;
}

}  // namespace swaprig
