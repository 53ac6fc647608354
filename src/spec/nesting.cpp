#include "spec/nesting.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace swaprig::spec {
namespace {

class NestingScan {
 public:
  NestingScan(std::string_view text, std::size_t limit) : m_text(text), m_limit(limit) {}

  std::optional<Position> run() {
    while (!at_end()) {
      const char c = m_text[m_at];
      if (c == '#') {
        skip_comment();
        continue;
      }
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      count(c);
      if (m_brackets > m_limit || m_dots >= m_limit) return m_where;
      step();
    }
    return std::nullopt;
  }

 private:
  bool at_end() const { return m_at >= m_text.size(); }

  void step() {
    if (m_text[m_at] == '\n') {
      m_where = {m_where.line + 1, 1};
    } else if (!is_utf8_continuation(m_text[m_at])) {
      ++m_where.column;
    }
    ++m_at;
  }

  void count(char c) {
    switch (c) {
      case '[':
      case '{':
        ++m_brackets;
        m_dots = 0;
        break;
      case ']':
      case '}':
        if (m_brackets > 0) --m_brackets;
        m_dots = 0;
        break;
      case '.':
        ++m_dots;
        break;
      case '=':
      case ',':
      case '\n':
        m_dots = 0;
        break;
      default:
        break;
    }
  }

  void skip_comment() {
    while (!at_end() && m_text[m_at] != '\n') step();
  }

  void skip_string(char quote) {
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool many_lines = m_text.substr(m_at).starts_with(three);
    const std::string_view end = many_lines ? three : three.substr(0, 1);
    for (std::size_t i = 0; i < end.size(); ++i) step();
    while (!at_end() && !m_text.substr(m_at).starts_with(end)) {
      if (!many_lines && m_text[m_at] == '\n') return;
      if (quote == '"' && m_text[m_at] == '\\') step();
      if (!at_end()) step();
    }
    for (std::size_t i = 0; i < end.size() && !at_end(); ++i) step();
  }

  std::string_view m_text;
  std::size_t m_limit;
  std::size_t m_at = 0;
  std::size_t m_brackets = 0;
  std::size_t m_dots = 0;
  Position m_where{1, 1};
};

}  // namespace

std::optional<Position> first_too_deep(std::string_view text, std::size_t limit) {
  return NestingScan(text, limit).run();
}

}  // namespace swaprig::spec
