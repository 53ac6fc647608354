#pragma once

#include <string>
#include <vector>

#include "spec/document.hpp"

namespace swaprig::spec {

/// A file that goes into the image from beside its TOML, or with its text given there.
struct ImageFile {
  std::string to;    ///< absolute path in the guest
  std::string text;  ///< the content
  unsigned mode = 0644;

  friend bool operator==(const ImageFile&, const ImageFile&) = default;
};

/// A tree of sources that goes into the image and is put under git there.
struct ImageSource {
  enum class Kind { package, tarball, git };
  Kind kind = Kind::package;
  std::string to;     ///< absolute path of its folder in the guest
  std::string from;   ///< the source package's name; the tarball's or the repository's path on this host
  std::string proof;  ///< the tarball's SHA-256, the repository's commit: in lower case; empty for a package
  Position where;     ///< of its table, for faults that only a build can find

  friend bool operator==(const ImageSource& a, const ImageSource& b) {
    return a.kind == b.kind && a.to == b.to && a.from == b.from && a.proof == b.proof;
  }
};

/// images/NAME.toml
struct Image {
  std::string name;
  std::string path;
  std::string suite;  ///< "bookworm"
  std::vector<std::string> packages;
  std::string kernel_package;        ///< "linux-image-amd64" (a metapackage or the real one)
  std::vector<std::string> modules;  ///< kernel modules kept beyond those that swaprig needs itself
  std::vector<ImageSource> sources;
  std::vector<ImageFile> files;
  std::vector<std::string> setup;  ///< shell lines run in the image by chroot, in order

  friend bool operator==(const Image&, const Image&) = default;
};

/// Throws BadInput with every fault at once, or FileError.
Image load_image(const std::string& path);

/// The names of all images/*.toml in a folder, sorted.
std::vector<std::string> image_names(const std::string& folder);

}  // namespace swaprig::spec
