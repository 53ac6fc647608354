#include "run/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace swaprig::run {

namespace {

constexpr std::string_view k_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t k_bytes = 3;  // of one group
constexpr std::size_t k_characters = 4;

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(k_bytes, bytes.size()))) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < k_bytes; ++i) {
      group = group << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (std::size_t i = 0; i < k_characters; ++i) {
      text += i <= bytes.size() ? k_alphabet[(group >> (18 - 6 * i)) & 63U] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  if (text.size() % k_characters != 0) return std::nullopt;
  for (; !text.empty(); text.remove_prefix(k_characters)) {
    const bool last = text.size() == k_characters;
    const std::size_t padding = last && text.ends_with("==") ? 2 : last && text.ends_with("=") ? 1 : 0;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < k_characters; ++i) {
      const auto digit = i < k_characters - padding ? k_alphabet.find(text[i]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      group = group << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t i = 0; i < k_bytes - padding; ++i) bytes += static_cast<char>((group >> (16 - 8 * i)) & 255U);
  }
  return bytes;
}

}  // namespace swaprig::run
