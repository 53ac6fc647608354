#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/command.hpp"
#include "image/apt_sources.hpp"
#include "image/source_trees.hpp"
#include "spec/image.hpp"

namespace swaprig::image {

/// The packages that every image has: they are what swaprig itself needs in the guest.
const std::vector<std::string>& base_packages();

/// Where a build puts what it makes, all below one folder.
struct BuildPaths {
  std::filesystem::path folder;

  std::filesystem::path tar() const { return folder / "rootfs.tar"; }
  std::filesystem::path input() const { return folder / "input"; }  ///< tree that is copied into the image
  std::filesystem::path input_tar() const { return folder / "input.tar"; }
  std::filesystem::path sources() const { return folder / "sources"; }  ///< where they are unpacked
  std::filesystem::path output() const { return folder / "output"; }    ///< packages, *.deb of the kernel
};

/// The arguments for mmdebstrap. An image with sources gets git. Pure but for the wish for root, which is passed in.
Command mmdebstrap_command(const spec::Image& image, const BuildPaths& paths, const HostApt& apt, bool as_root);

/// The word for tar, behind --anchored, that leaves out what is in an image's tar and not of the image: the build's own
/// files. They stay in the tar: tar --delete would write all of it anew, in place, for an image of two GB too.
inline constexpr const char* k_without_build_files = "--exclude=./.swaprig";

/// Builds the root file system into paths.tar(), without a kernel, and puts the kernel's packages and the list of
/// installed packages into paths.output(). Everything in the tar but k_without_build_files is owned as in the image.
/// The trees of `sources` are moved into it. Throws CommandError with the end of mmdebstrap's words and a hint.
void build_root_tar(const spec::Image& image, const std::vector<SourceTree>& sources, const HostApt& apt,
                    const BuildPaths& paths, CommandRunner& commands);

/// Puts the tree below `folder` at the end of the tar, owned by root.
void append_to_tar(const std::filesystem::path& tar, const std::filesystem::path& folder, CommandRunner& commands);

/// What the files of an image's tar take in a file system with blocks of 4 KiB, the build's own left out.
struct TarContent {
  Bytes data;
  std::uint64_t inodes = 0;
};
TarContent tar_content(const std::filesystem::path& tar, CommandRunner& commands);

/// From the lines of `tar --list --verbose --numeric-owner`.
TarContent parse_tar_list(std::string_view list);

}  // namespace swaprig::image
