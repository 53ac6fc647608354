#include "simdrive/model/faults.hpp"

#include <algorithm>

#include "simdrive/model/parameters.hpp"

namespace swaprig::simdrive {

namespace {

std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

constexpr std::uint64_t k_longest_wait_ms = 1'000'000'000'000;

}  // namespace

bool Faults::fails(const Request& request, Time now) const {
  const bool writes = request.operation == Operation::write || request.operation == Operation::zero;
  const bool reads = request.operation == Operation::read;
  return std::any_of(m_bad.begin(), m_bad.end(), [&](const BadRange& bad) {
    return ((reads && bad.read) || (writes && bad.write)) && now >= bad.from &&
           request.offset < bad.offset + bad.size && request.end() > bad.offset;
  });
}

bool parse_bad_range(std::string_view text, std::uint64_t drive_size, Time now, BadRange& range, std::string& error) {
  const auto parts = split_at_colons(text);
  std::uint64_t after_ms = 0;
  if (parts.size() < 3 || parts.size() > 4 || !parse_number(parts[0], range.offset) ||
      !parse_number(parts[1], range.size) ||
      (parts.size() == 4 && (!parse_number(parts[3], after_ms) || after_ms > k_longest_wait_ms))) {
    error = "a bad range is written OFFSET:SIZE:read|write|both, or with :MILLISECONDS behind it";
    return false;
  }
  range.read = parts[2] == "read" || parts[2] == "both";
  range.write = parts[2] == "write" || parts[2] == "both";
  range.from = now + std::chrono::milliseconds(after_ms);
  if (!range.read && !range.write) {
    error = "a bad range is bad for read, write or both";
    return false;
  }
  if (range.size == 0 || range.offset >= drive_size || range.size > drive_size - range.offset) {
    error = "the bad range lies outside the drive of " + std::to_string(drive_size) + " bytes, or is empty";
    return false;
  }
  return true;
}

}  // namespace swaprig::simdrive
