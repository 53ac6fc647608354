#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swaprig {

std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string> split_words(std::string_view text);
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

bool is_utf8(std::string_view text);

/// For text that a guest or a program sent: broken UTF-8 becomes U+FFFD, control characters but \n and \t
/// (escape sequences, carriage returns, C1, bidirectional overrides) become visible \xNN or U+XXXX marks,
/// and only the last `limit` bytes stay, with a mark at the cut.
std::string printable(std::string_view text, std::size_t limit = 1U << 20U);

/// The same on one line: newlines and tabs become marks as well.
std::string printable_line(std::string_view text, std::size_t limit = 400);

/// A name made safe for a file or domain name: [a-z0-9-], at most 60 characters, and when anything was lost,
/// an 8-digit digest of the whole name behind it, so that different names stay different.
std::string slug(std::string_view name);

/// Hexadecimal SHA-256 of the text.
std::string sha256(std::string_view text);

}  // namespace swaprig
