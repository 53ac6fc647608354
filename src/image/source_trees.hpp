#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "image/apt_sources.hpp"
#include "spec/image.hpp"

namespace swaprig::image {

/// A source as it goes into the image: unpacked, with one commit of all its files.
struct SourceTree {
  std::filesystem::path folder;  ///< on this host
  std::string to;                ///< in the guest
  std::string origin;            ///< "package cpphs 1.20.9.1-2", "tarball a.tar.gz SHA256", "git COMMIT"
};

/// Gets and unpacks all sources of the image below `work` and puts each under git: author, date and message do not
/// depend on when and by whom. `tell` gets a line for each. Throws BadInput, at the source's place in the image's file,
/// for what the definition gets wrong (no such package, digest, commit; an archive that leads out of its folder, which
/// is refused before anything of it is unpacked); CommandError.
std::vector<SourceTree> make_source_trees(const spec::Image& image, const HostApt& apt,
                                          const std::filesystem::path& work, CommandRunner& commands,
                                          const std::function<void(const std::string&)>& tell);

/// Throws HostError unless the programs that the image's sources need are there.
void require_source_programs(const spec::Image& image, CommandRunner& commands);

}  // namespace swaprig::image
