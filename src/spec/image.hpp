#pragma once

#include <string>
#include <vector>

namespace swaprig::spec {

/// A file that goes into the image from beside its TOML, or with its text given there.
struct ImageFile {
  std::string to;    ///< absolute path in the guest
  std::string text;  ///< the content
  unsigned mode = 0644;

  friend bool operator==(const ImageFile&, const ImageFile&) = default;
};

/// images/NAME.toml
struct Image {
  std::string name;
  std::string path;
  std::string suite;  ///< "bookworm"
  std::vector<std::string> packages;
  std::string kernel_package;        ///< "linux-image-amd64" (a metapackage or the real one)
  std::vector<std::string> modules;  ///< kernel modules kept beyond those that swaprig needs itself
  std::vector<ImageFile> files;
  std::vector<std::string> setup;  ///< shell lines run in the image by chroot, in order

  friend bool operator==(const Image&, const Image&) = default;
};

/// Throws BadInput with every fault at once, or FileError.
Image load_image(const std::string& path);

/// The names of all images/*.toml in a folder, sorted.
std::vector<std::string> image_names(const std::string& folder);

}  // namespace swaprig::spec
