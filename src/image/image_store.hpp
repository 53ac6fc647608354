#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/command.hpp"
#include "spec/experiment.hpp"
#include "spec/image.hpp"

namespace swaprig::image {

/// Where an image is poured: a byte range of a file or device. Knows no drive.
struct Target {
  std::filesystem::path path;
  Bytes offset;
  Bytes size;
  bool direct = true;  ///< O_DIRECT; false where there is none and the host's cache plays no part
};

/// A built image in the cache.
struct BuiltImage {
  std::string name;
  std::string digest;  ///< hexadecimal, of the definition, the architecture and the builder's version
  std::filesystem::path folder;
  std::filesystem::path kernel;        ///< uncompressed ELF vmlinux
  std::filesystem::path initrd;        ///< the image's modules, as a cpio without /init
  std::string kernel_release;          ///< "6.1.0-57-amd64"
  Bytes data;                          ///< allocated bytes of the root file system's content
  std::shared_ptr<const void> in_use;  ///< as long as a copy lives, nobody can remove the image from the cache
};

/// Bytes [offset, offset + size) of the filled partition, from its start.
struct Range {
  Bytes offset;
  Bytes size;

  friend bool operator==(const Range&, const Range&) = default;
};

/// What a fill wrote, and where the files' data lies (for "where is the root's data").
struct FillReport {
  Bytes written;
  std::vector<Range> data;  ///< ranges with file data or directories, merged, sorted
};

struct ListedImage {
  std::string name;
  std::string digest;
  Bytes size;  ///< on disk, with its file systems of fixed size
  std::string built_utc;
  bool current = false;  ///< the digest that the definition of today gives
};

class ImageStore {
 public:
  /// `definitions`: the folder of images/*.toml; `cache`: ours, made when missing.
  ImageStore(std::filesystem::path definitions, std::filesystem::path cache, CommandRunner& commands, Clock& clock);

  /// The built image, building it when its digest is not in the cache. One process builds a digest at a time, others
  /// wait for it. An interrupted build leaves only a folder that the next call removes. `progress` gets one line a
  /// step. Throws BadInput for the definition, CommandError with the end of mmdebstrap's words, HostError.
  BuiltImage ensure(const std::string& name, const std::function<void(const std::string&)>& progress);
  /// The same for a definition that is loaded already.
  BuiltImage ensure(const spec::Image& image, const std::function<void(const std::string&)>& progress);

  /// Pours the image's root file system into the target as ext4 of exactly target.size. The first time for a size it is
  /// made by mke2fs -d and kept; after that only blocks that matter are written (zeros where they are zero), O_DIRECT,
  /// so that the target's earlier content does not matter and the host caches nothing. fsync at the end.
  /// `place` says where in the target the files lie (image/data_place.hpp).
  FillReport fill(const BuiltImage& image, const Target& target, spec::RootData place = spec::RootData::start);

  /// Throws HostError, with both sizes, when the image's root file system does not fit that size. Writes nothing.
  void require_fits(const BuiltImage& image, Bytes size);

  std::vector<ListedImage> list();

  /// Removes every build of that name (or the one digest); returns how many. UsageError when there is none, or when
  /// one is being built or used.
  int remove(const std::string& name_or_digest);

 private:
  std::filesystem::path m_definitions;
  std::filesystem::path m_cache;
  CommandRunner& m_commands;
  Clock& m_clock;
};

/// The uncompressed ELF inside a bzImage (xz, zstd, gzip, lz4, by the boot protocol's payload fields).
/// Throws Error that names what was found instead.
std::string extract_vmlinux(const std::string& bzimage, CommandRunner& commands);

/// One initrd for QEMU: the image's modules followed by an overlay with /init (our probe). newc cpio; pure.
std::string initrd_with_probe(const std::string& image_initrd, const std::string& probe);

}  // namespace swaprig::image
