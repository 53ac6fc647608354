#include "guest/creation_result.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "guest/numbers.hpp"

namespace swaprig::guest {

namespace {

constexpr std::size_t k_most_cells = 2000;
constexpr std::size_t k_most_timings = 100;  // passes that an experiment may ask for
constexpr std::size_t k_longest_name = 32;
constexpr std::size_t k_longest_reason = 1000;

[[noreturn]] void broken(const std::string& what) {
  throw AgentError("the probe's timings of making swap files are broken: " + what);
}

std::int64_t amount(const std::string& key, const std::string& value) {
  const auto number = to_integer(value);
  if (!number || *number < 0) broken(key + "=" + printable_line(value));
  return *number;
}

std::string method_of(const std::string& value) {
  const auto known = std::any_of(std::begin(wire::k_creation_methods), std::end(wire::k_creation_methods),
                                 [&](const char* method) { return value == method; });
  if (!known) broken("method=" + printable_line(value));
  return value;
}

void add_timing(Creation& cell, const std::string& value) {
  const auto words = split_words(value);
  if (words.size() != 3 || cell.real_ns.size() == k_most_timings) broken("timing=" + printable_line(value));
  cell.real_ns.push_back(amount("timing", words[0]));
  cell.user_us.push_back(amount("timing", words[1]));
  cell.system_us.push_back(amount("timing", words[2]));
}

Creation parse_cell(std::string_view text) {
  wire::Fields fields;
  if (!wire::decode_fields(text, fields)) broken("a line is not KEY=VALUE");
  Creation cell;
  for (const auto& [key, value] : fields) {
    if (key == "method") cell.method = method_of(value);
    if (key == "size_bytes") cell.size_bytes = amount(key, value);
    if (key == "block_bytes") cell.block_bytes = amount(key, value);
    if (key == "durable") cell.durable = amount(key, value) == 1;
    if (key == "file_system") cell.file_system = value.substr(0, k_longest_name);
    if (key == "timing") add_timing(cell, value);
    if (key == "unsupported") cell.unsupported = value.substr(0, k_longest_reason);
  }
  if (cell.method.empty()) broken("a cell without a method");
  if (cell.real_ns.empty() && cell.unsupported.empty()) broken("a cell with neither a time nor a reason");
  return cell;
}

}  // namespace

std::vector<Creation> parse_creations(std::string_view text) {
  if (text.size() > k_creations_limit) broken(std::to_string(text.size()) + " bytes");
  wire::Sections sections;
  if (!wire::decode_sections(text, sections)) broken("a section is cut");
  std::vector<Creation> cells;
  for (const auto& [name, body] : sections) {
    if (name != wire::k_cell_section) continue;
    if (cells.size() == k_most_cells) broken("too many cells");
    cells.push_back(parse_cell(body));
  }
  return cells;
}

}  // namespace swaprig::guest
