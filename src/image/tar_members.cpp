#include "image/tar_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::image {
namespace {

/// More steps than this through links are a circle.
constexpr int k_most_links = 100;

using Parts = std::vector<std::string>;

/// A path's parts without empty ones and ".".
Parts parts_of(std::string_view path) {
  Parts parts;
  for (auto& part : split(path, '/')) {
    if (!part.empty() && part != ".") parts.push_back(std::move(part));
  }
  return parts;
}

std::string path_of(const Parts& parts) { return join(parts, "/"); }

char control_character(char letter) {
  constexpr std::string_view k_letters = "abfnrtv";
  constexpr std::string_view k_meant = "\a\b\f\n\r\t\v";
  const auto at = k_letters.find(letter);
  return at == std::string_view::npos ? letter : k_meant[at];
}

/// Takes a quoted C string from the front of the text.
std::string take_quoted(std::string_view& text) {
  const auto whole = text;
  const auto broken = [&] { return Error("cannot read tar's list of members: " + printable_line(whole)); };
  if (!text.starts_with('"')) throw broken();
  std::string result;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return result;
    }
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) break;
    unsigned octal = 0;
    std::size_t digits = 0;
    while (digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7') {
      octal = octal * 8 + static_cast<unsigned>(text[i + digits++] - '0');
    }
    if (digits > 0) {
      result += static_cast<char>(static_cast<unsigned char>(octal));
      i += digits - 1;
    } else {
      result += control_character(text[i]);
    }
  }
  throw broken();
}

/// All paths in here are within the archive's top folder when it has one: that is what goes into the image.
class Archive {
 public:
  explicit Archive(const std::vector<TarMember>& members) : m_members(members), m_top(top_folder(members)) {
    for (const auto& member : members) {
      if (member.type == 'l') m_links[path_of(inside(member.name))] = member.target;
    }
  }

  std::string fault() const {
    if (std::all_of(m_members.begin(), m_members.end(), [&](const auto& m) { return inside(m.name).empty(); })) {
      return "it holds nothing";
    }
    for (const auto& member : m_members) {
      if (const auto fault = fault_of(member); !fault.empty()) {
        return fmt::format("its member {} {}", printable_line(member.name), fault);
      }
    }
    return "";
  }

 private:
  Parts inside(const std::string& name) const {
    auto parts = parts_of(name);
    if (!m_top.empty() && !parts.empty()) parts.erase(parts.begin());
    return parts;
  }

  static std::string fault_of_name(const std::string& name) {
    if (name.starts_with('/')) return "has an absolute path";
    const auto parts = parts_of(name);
    return std::find(parts.begin(), parts.end(), "..") != parts.end() ? "has .. in its path" : "";
  }

  std::string fault_of(const TarMember& member) const {
    if (auto fault = fault_of_name(member.name); !fault.empty()) return fault;
    if (std::string_view("-dlh").find(member.type) == std::string_view::npos) {
      return "is neither a file nor a folder nor a link";
    }
    auto folder = inside(member.name);
    while (folder.size() > 1) {
      folder.pop_back();
      if (m_links.contains(path_of(folder))) return "lies below the link " + printable_line(path_of(folder));
    }
    if (leads_out(member)) return "is a link to " + printable_line(member.target) + ", outside of the archive";
    return "";
  }

  bool leads_out(const TarMember& member) const {
    if (member.type == 'h') {
      const auto parts = parts_of(member.target);
      const bool beside = !m_top.empty() && (parts.empty() || parts.front() != m_top);
      return beside || !fault_of_name(member.target).empty() || leads_out({}, inside(member.target));
    }
    if (member.type != 'l') return false;
    auto folder = inside(member.name);
    if (!folder.empty()) folder.pop_back();
    return member.target.starts_with('/') || leads_out(std::move(folder), parts_of(member.target));
  }

  /// Follows a path from a folder as the kernel would, through the archive's own links.
  bool leads_out(Parts at, Parts ahead) const {
    std::reverse(ahead.begin(), ahead.end());
    for (int links = 0; !ahead.empty();) {
      const auto part = ahead.back();
      ahead.pop_back();
      if (part == "..") {
        if (at.empty()) return true;
        at.pop_back();
        continue;
      }
      at.push_back(part);
      const auto link = m_links.find(path_of(at));
      if (link == m_links.end()) continue;
      if (link->second.starts_with('/')) return true;
      if (++links > k_most_links) return false;
      at.pop_back();
      const auto more = parts_of(link->second);
      ahead.insert(ahead.end(), more.rbegin(), more.rend());
    }
    return false;
  }

  const std::vector<TarMember>& m_members;
  std::string m_top;
  std::map<std::string, std::string> m_links;
};

}  // namespace

std::vector<TarMember> parse_tar_members(std::string_view list) {
  std::vector<TarMember> members;
  for (const auto& line : split(list, '\n')) {
    if (line.empty()) continue;
    TarMember member;
    member.type = line.front();
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find('"'), rest.size()));
    member.name = take_quoted(rest);
    for (const std::string_view arrow : {" -> ", " link to "}) {
      if (!rest.starts_with(arrow)) continue;
      rest.remove_prefix(arrow.size());
      member.target = take_quoted(rest);
      break;
    }
    members.push_back(std::move(member));
  }
  return members;
}

std::string archive_fault(const std::vector<TarMember>& members) { return Archive(members).fault(); }

std::string top_folder(const std::vector<TarMember>& members) {
  std::string top;
  bool is_folder = false;
  for (const auto& member : members) {
    const auto parts = parts_of(member.name);
    if (parts.empty()) continue;
    if (!top.empty() && parts.front() != top) return "";
    top = parts.front();
    is_folder = is_folder || parts.size() > 1 || member.type == 'd';
  }
  return is_folder ? top : "";
}

}  // namespace swaprig::image
