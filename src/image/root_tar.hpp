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

/// Builds the root file system into paths.tar(), without a kernel, and puts the kernel's packages and the list of
/// installed packages into paths.output(). Everything in the tar is owned as in the image.
/// The trees of `sources` are moved into it. Throws CommandError with the end of mmdebstrap's words and a hint.
void build_root_tar(const spec::Image& image, const std::vector<SourceTree>& sources, const HostApt& apt,
                    const BuildPaths& paths, CommandRunner& commands);

/// Puts the tree below `folder` at the end of the tar, owned by root.
void append_to_tar(const std::filesystem::path& tar, const std::filesystem::path& folder, CommandRunner& commands);

/// What the files of a tar take in a file system with blocks of 4 KiB.
struct TarContent {
  Bytes data;
  std::uint64_t inodes = 0;
};
TarContent tar_content(const std::filesystem::path& tar, CommandRunner& commands);

/// From the lines of `tar --list --verbose --numeric-owner`.
TarContent parse_tar_list(std::string_view list);

}  // namespace swaprig::image
