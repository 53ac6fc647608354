#pragma once

// Thin cover over system calls. The probe is linked statically and uses nothing but the C++ library and libc.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace swaprig::probe {

/// Something that the probe was asked for and cannot do: what, to which object, and the system's own words.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message) : std::runtime_error(message) {}
};

/// "DOING: words of the error number".
std::string with_reason(const std::string& doing, int error_number);

/// Throws Failure with errno's words.
[[noreturn]] void fail(const std::string& doing);

/// Owns one file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : m_fd(fd) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }
  void reset();

 private:
  int m_fd = -1;
};

/// The whole file up to `limit` bytes, or nothing. Reads until the end: files in /proc and /sys have no size.
std::optional<std::string> read_text(const std::string& path, std::size_t limit = 1U << 20U);

/// The same without the white space at both ends; empty when the file cannot be read.
std::string read_word(const std::string& path);

/// Writes in one call, as /proc and /sys want it. Returns 0 or an error number.
int write_text(const std::string& path, std::string_view text);

/// False when not everything could be written; errno is kept.
bool write_all(int fd, std::string_view text);

/// Names in a folder without "." and "..", sorted; empty when it cannot be read.
std::vector<std::string> names_in(const std::string& folder);

std::string_view trimmed(std::string_view text);

/// Decimal digits only; nothing on anything else or overflow.
std::optional<std::uint64_t> to_number(std::string_view text);

/// The value of "--NAME=VALUE" when the argument is that option.
std::optional<std::string_view> option_value(std::string_view argument, std::string_view name);

std::int64_t monotonic_ns();
void sleep_ms(std::int64_t milliseconds);

}  // namespace swaprig::probe
