#include "base/text.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "base/utf8.hpp"

namespace swaprig {
namespace {

constexpr std::string_view k_space = " \t\n\r\f\v";
constexpr std::size_t k_slug_limit = 60;
constexpr std::size_t k_slug_digest = 8;

/// Characters that change how what stands around them is shown: directions, separators, invisible ones.
bool misleads(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x200b || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
         (c >= 0xe0000 && c <= 0xe007f);
}

enum class Lines { many, one };

std::string made_printable(std::string_view text, std::size_t limit, Lines lines) {
  std::string result;
  if (text.size() > limit) {
    text.remove_prefix(text.size() - limit);
    while (!text.empty() && is_utf8_continuation(text.front())) text.remove_prefix(1);
    result += "[...] ";
  }
  while (!text.empty()) {
    const auto character = next_character(text);
    const auto bytes = text.substr(0, character.length);
    text.remove_prefix(character.length);
    if (!character.valid) {
      result += "\xEF\xBF\xBD";
    } else if ((character.code == '\n' || character.code == '\t') && lines == Lines::many) {
      result += bytes;
    } else if (character.code == '\n') {
      result += "\\n";
    } else if (character.code == '\t') {
      result += "\\t";
    } else if (character.code < 0x20 || character.code == 0x7f) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned>(character.code));
    } else if (misleads(character.code)) {
      result += fmt::format("<U+{:04X}>", static_cast<unsigned>(character.code));
    } else {
      result += bytes;
    }
  }
  return result;
}

bool is_slug_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    const auto end = std::min(text.find_first_of(k_space), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(k_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(k_space) - begin + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const auto& part : parts) {
    if (&part != &parts.front()) result += separator;
    result += part;
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = next_character(text);
    if (!character.valid) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

std::string printable(std::string_view text, std::size_t limit) { return made_printable(text, limit, Lines::many); }

std::string printable_line(std::string_view text, std::size_t limit) { return made_printable(text, limit, Lines::one); }

std::string slug(std::string_view name) {
  std::string result;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_slug_character(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  if (result == name && !name.empty() && name.size() <= k_slug_limit) return result;

  result.resize(std::min(result.size(), k_slug_limit - k_slug_digest - 1));
  if (!result.empty() && result.back() != '-') result += '-';
  return result + sha256(name).substr(0, k_slug_digest);
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const int done = EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  SWAPRIG_ASSERT(done == 1);
  std::string result;
  for (unsigned i = 0; i < length; ++i) result += fmt::format("{:02x}", digest[i]);
  return result;
}

}  // namespace swaprig
