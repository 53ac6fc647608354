#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig {

/// One fault in a file that a user wrote. Line and column count from 1; line 0 means the whole file.
struct Diagnostic {
  std::string file;
  int line = 0;
  int column = 0;
  std::string message;   ///< what is wrong and what was expected
  std::string hint;      ///< what to do, or the nearest valid name; may be empty

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Sorts by file, line, column and drops exact doubles.
void sort_diagnostics(std::vector<Diagnostic>& diagnostics);

/// "FILE:LINE:COLUMN: error: MESSAGE", the source line, a caret under the column, the hint.
/// `source` is the whole text of the file; control characters of it are shown escaped.
std::string render(const Diagnostic& diagnostic, std::string_view source);

/// Every fault of a file at once; exit code 2.
class BadInput : public std::runtime_error {
 public:
  BadInput(std::vector<Diagnostic> diagnostics, std::string source);

  const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
  const std::string& source() const { return m_source; }

 private:
  std::vector<Diagnostic> m_diagnostics;
  std::string m_source;
};

/// The candidate with the smallest edit distance (transpositions count one) when it is at most a third
/// of the name's length plus one; empty otherwise.
std::string nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace swaprig
