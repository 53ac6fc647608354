#include "probe/kernel_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace swaprig::probe {

std::optional<std::string> format_record(std::string_view record) {
  // PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];TEXT and then lines of a dictionary that begin with a space.
  const auto semicolon = record.find(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  const auto head = record.substr(0, semicolon);
  const auto first = head.find(',');
  const auto second = first == std::string_view::npos ? first : head.find(',', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto priority = to_number(head.substr(0, first));
  const auto microseconds = to_number(head.substr(second + 1, head.find(',', second + 1) - second - 1));
  constexpr unsigned k_level_bits = 3;
  if (!priority || !microseconds || (*priority >> k_level_bits) != 0) return std::nullopt;
  auto text = record.substr(semicolon + 1);
  text = text.substr(0, text.find('\n'));
  char stamp[48];
  std::snprintf(stamp, sizeof stamp, "[%5llu.%06llu] ", static_cast<unsigned long long>(*microseconds / 1'000'000),
                static_cast<unsigned long long>(*microseconds % 1'000'000));
  return std::string(stamp).append(text);
}

KernelLog::KernelLog(const std::string& path) : m_log(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (!m_log) fail("cannot open the kernel log " + path);
  lseek(m_log.get(), 0, SEEK_END);
}

std::string KernelLog::take_new(std::size_t limit) {
  std::string messages;
  std::array<char, 8192> record;  // the kernel's own bound of a record
  while (true) {
    const auto got = read(m_log.get(), record.data(), record.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EPIPE) {
      m_lost = true;  // overwritten before we came; the next read goes on with the oldest that is left
      continue;
    }
    if (got <= 0) return messages;
    const auto line = format_record({record.data(), static_cast<std::size_t>(got)});
    if (!line) continue;
    if (messages.size() + line->size() + 1 > limit) {
      m_lost = true;
      return messages;
    }
    messages.append(*line).append("\n");
  }
}

}  // namespace swaprig::probe
