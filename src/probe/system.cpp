#include "probe/system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace swaprig::probe {

std::string with_reason(const std::string& doing, int error_number) { return doing + ": " + strerror(error_number); }

void fail(const std::string& doing) { throw Failure(with_reason(doing, errno)); }

Descriptor::Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    m_fd = std::exchange(other.m_fd, -1);
  }
  return *this;
}

Descriptor::~Descriptor() { reset(); }

void Descriptor::reset() {
  if (m_fd >= 0) close(m_fd);
  m_fd = -1;
}

std::optional<std::string> read_text(const std::string& path, std::size_t limit) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string text;
  char piece[4096];
  while (text.size() < limit) {
    const auto got = read(file.get(), piece, std::min(sizeof piece, limit - text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    text.append(piece, static_cast<std::size_t>(got));
  }
  return text;
}

std::string read_word(const std::string& path) { return std::string(trimmed(read_text(path).value_or(""))); }

int write_text(const std::string& path, std::string_view text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return errno;
  return write(file.get(), text.data(), text.size()) < 0 ? errno : 0;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto put = write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const stream = opendir(folder.c_str());
  if (stream == nullptr) return names;
  while (const dirent* const entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_space(" \t\r\n\0", 5);
  const auto first = text.find_first_not_of(k_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_space) - first + 1);
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

std::optional<std::string_view> option_value(std::string_view argument, std::string_view name) {
  if (!argument.starts_with("--")) return std::nullopt;
  argument.remove_prefix(2);
  if (!argument.starts_with(name)) return std::nullopt;
  argument.remove_prefix(name.size());
  if (!argument.starts_with('=')) return std::nullopt;
  return argument.substr(1);
}

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void sleep_ms(std::int64_t milliseconds) {
  const timespec duration{milliseconds / 1000, (milliseconds % 1000) * 1'000'000};
  nanosleep(&duration, nullptr);
}

}  // namespace swaprig::probe
