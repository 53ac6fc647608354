#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swaprig::image {

/// One member of a tar, as `tar --list --verbose --quoting-style=c` shows it.
struct TarMember {
  char type = '-';     ///< as ls(1) marks it; 'h' for a hard link
  std::string name;    ///< as it stands in the archive
  std::string target;  ///< of a link

  friend bool operator==(const TarMember&, const TarMember&) = default;
};

/// Throws Error for a line that is none of tar's.
std::vector<TarMember> parse_tar_members(std::string_view list);

/// What makes an archive unfit to be unpacked, with the member's name; empty when it is fit. Fit means: it holds
/// something, only files, folders and links; no name is absolute, holds "..", or lies below a link; no link leads out
/// of the one folder at its top (out of the archive when it has no such folder). Pure.
std::string archive_fault(const std::vector<TarMember>& members);

/// The one folder that all members lie in; empty when there is none.
std::string top_folder(const std::vector<TarMember>& members);

}  // namespace swaprig::image
