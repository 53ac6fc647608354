#include "image/image_store.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/block_map.hpp"
#include "image/data_place.hpp"
#include "image/file_system.hpp"
#include "image/image_cache.hpp"
#include "image/kernel_build.hpp"
#include "image/pour.hpp"
#include "image/root_tar.hpp"
#include "image/user_mode.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_tar = "rootfs.tar";
constexpr std::size_t k_most_data_ranges = 2000;

using Progress = ImageCache::Progress;

/// Makes all of an image in a folder that nobody else sees yet.
class ImageBuilder {
 public:
  ImageBuilder(const spec::Image& image, CommandRunner& commands, Clock& clock, const Progress& progress)
      : m_image(image), m_commands(commands), m_clock(clock), m_progress(progress) {}

  Manifest build(const fs::path& folder) {
    check_programs();
    const BuildPaths paths{folder / "work"};
    make_folders(paths.folder);
    const auto apt = ask_host_apt(m_commands, m_image.suite);
    const auto sources =
        make_source_trees(m_image, apt, paths.sources(), m_commands, [this](const std::string& what) { tell(what); });
    tell(fmt::format("installing {} packages and what they need from {}",
                     base_packages().size() + m_image.packages.size(), m_image.suite));
    build_root_tar(m_image, sources, apt, paths, m_commands);

    tell("unpacking the kernel");
    const auto kernel = unpack_kernel(paths.output(), paths.folder / "kernel", m_commands);
    write_file_durably(folder / "vmlinux", extract_vmlinux(read_file(kernel.bzimage()), m_commands));
    write_file_durably(folder / "initrd", boot_initrd(kernel, m_commands));
    const auto modules = paths.folder / "modules";
    make_folders(modules);
    copy_root_modules(kernel, m_image.modules, modules, m_commands);
    append_to_tar(paths.tar(), modules, m_commands);

    const auto content = tar_content(paths.tar(), m_commands);
    Manifest manifest;
    manifest.name = m_image.name;
    manifest.digest = definition_digest(m_image, host_architecture());
    manifest.built_utc = iso8601(m_clock.utc());
    manifest.suite = m_image.suite;
    manifest.kernel_package = m_image.kernel_package;
    manifest.kernel_release = kernel.release;
    manifest.data = content.data;
    manifest.inodes = content.inodes;
    manifest.packages = read_file(paths.output() / "packages");
    for (const auto& source : sources) manifest.sources[source.to] = source.origin;
    fs::rename(paths.tar(), folder / k_tar);
    remove_image_folder(paths.folder, m_commands);
    return manifest;
  }

 private:
  /// Before the first slow step, not after it.
  void check_programs() const {
    require_program(m_commands, "mmdebstrap", "mmdebstrap");
    require_program(m_commands, "dpkg-deb", "dpkg");
    require_program(m_commands, "depmod", "kmod");
    require_program(m_commands, "mke2fs", "e2fsprogs");
    if (!is_root()) require_program(m_commands, "newuidmap", "uidmap");
    require_source_programs(m_image, m_commands);
  }

  void tell(const std::string& what) const { m_progress(fmt::format("image {}: {}", m_image.name, what)); }

  const spec::Image& m_image;
  CommandRunner& m_commands;
  Clock& m_clock;
  const Progress& m_progress;
};

const char* suffix_of(spec::RootData place) {
  switch (place) {
    case spec::RootData::start: return "";
    case spec::RootData::spread: return "-spread";
    case spec::RootData::end: return "-end";
  }
  return "";
}

/// The image's ext4 of one size, made when it is not there yet. What a killed process left of it is removed first.
fs::path file_system_of(const BuiltImage& image, Bytes size, spec::RootData place, std::uint64_t inodes,
                        ImageCache& cache, CommandRunner& commands) {
  const auto plan = plan_file_system(image.name, image.digest, image.data, inodes, size);
  const auto path = image.folder / fmt::format("fs-{}{}.ext4", plan.size.count, suffix_of(place));
  if (fs::exists(path)) return path;
  const auto lock = cache.lock_for_building(ImageCache::key(image.name, image.digest), [](const std::string&) {});
  if (fs::exists(path)) return path;
  const auto work = image.folder / "work";
  remove_image_folder(work, commands);
  make_folders(work);
  const auto unfinished = work / "ext4";
  try {
    make_file_system(plan, image.folder / k_tar, work, unfinished, commands);
    place_data(unfinished, place);
  } catch (...) {
    remove_image_folder(work, commands);
    throw;
  }
  fs::rename(unfinished, path);
  sync_folder(image.folder);
  remove_image_folder(work, commands);
  return path;
}

Manifest manifest_of(const BuiltImage& image, const ImageCache& cache) {
  if (auto manifest = cache.manifest(ImageCache::key(image.name, image.digest))) return std::move(*manifest);
  throw HostError(fmt::format("the image {} is no longer in {}; try: swaprig image build {}", image.name,
                              image.folder.string(), image.name));
}

void check_name(const fs::path& definitions, const std::string& name) {
  const auto names = spec::image_names(definitions.string());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const auto close = nearest(name, names);
  throw UsageError(fmt::format("there is no image '{}' in {}; {}", printable_line(name), definitions.string(),
                               !close.empty()  ? "did you mean '" + close + "'?"
                               : names.empty() ? "no *.toml file is there"
                                               : "there are: " + join(names, ", ")));
}

Bytes allocated(const fs::path& folder) {
  std::uint64_t blocks = 0;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    struct stat status {};
    if (::lstat(entry.path().c_str(), &status) == 0) blocks += static_cast<std::uint64_t>(status.st_blocks);
  }
  return Bytes{blocks * 512};
}

}  // namespace

ImageStore::ImageStore(fs::path definitions, fs::path cache, CommandRunner& commands, Clock& clock)
    : m_definitions(std::move(definitions)), m_cache(std::move(cache)), m_commands(commands), m_clock(clock) {}

BuiltImage ImageStore::ensure(const std::string& name, const Progress& progress) {
  check_name(m_definitions, name);
  return ensure(spec::load_image((m_definitions / (name + ".toml")).string()), progress);
}

BuiltImage ImageStore::ensure(const spec::Image& image, const Progress& progress) {
  ImageCache cache(m_cache, m_commands, m_clock);
  const auto key = ImageCache::key(image.name, definition_digest(image, host_architecture()));
  const auto in_use = cache.use(key);
  ImageBuilder builder(image, m_commands, m_clock, progress);
  const auto manifest = cache.ensure(
      key, [&](const fs::path& folder) { return builder.build(folder); }, progress);
  const auto folder = cache.folder(key);
  return {manifest.name,     manifest.digest,         folder,        folder / "vmlinux",
          folder / "initrd", manifest.kernel_release, manifest.data, in_use};
}

FillReport ImageStore::fill(const BuiltImage& image, const Target& target, spec::RootData place) {
  ImageCache cache(m_cache, m_commands, m_clock);
  const auto in_use = cache.use(ImageCache::key(image.name, image.digest));
  const auto source = file_system_of(image, target.size, place, manifest_of(image, cache).inodes, cache, m_commands);
  const auto map = read_block_map(source);
  return {pour(source, map.needed, target), merged(map.data, k_most_data_ranges)};
}

void ImageStore::require_fits(const BuiltImage& image, Bytes size) {
  const ImageCache cache(m_cache, m_commands, m_clock);
  plan_file_system(image.name, image.digest, image.data, manifest_of(image, cache).inodes, size);
}

std::vector<ListedImage> ImageStore::list() {
  ImageCache cache(m_cache, m_commands, m_clock);
  std::vector<std::string> current;
  for (const auto& name : spec::image_names(m_definitions.string())) {
    try {
      const auto image = spec::load_image((m_definitions / (name + ".toml")).string());
      current.push_back(ImageCache::key(image.name, definition_digest(image, host_architecture())));
    } catch (const BadInput&) {
      // A faulty definition has no digest; images of it are still there to be listed.
    } catch (const FileError&) {
    }
  }
  std::vector<ListedImage> images;
  for (const auto& key : cache.keys()) {
    const auto manifest = cache.manifest(key);
    if (!manifest) continue;
    images.push_back({manifest->name, manifest->digest, allocated(cache.folder(key)), manifest->built_utc,
                      std::find(current.begin(), current.end(), key) != current.end()});
  }
  return images;
}

int ImageStore::remove(const std::string& name_or_digest) {
  constexpr std::size_t k_shortest_digest = 6;
  ImageCache cache(m_cache, m_commands, m_clock);
  int removed = 0;
  for (const auto& key : cache.keys()) {
    const auto manifest = cache.manifest(key);
    if (!manifest) continue;
    const bool by_digest = name_or_digest.size() >= k_shortest_digest && manifest->digest.starts_with(name_or_digest);
    if (manifest->name != name_or_digest && !by_digest) continue;
    cache.remove(key);
    ++removed;
  }
  if (removed == 0) {
    throw UsageError(fmt::format("no built image has the name or digest '{}'; try: swaprig image list",
                                 printable_line(name_or_digest)));
  }
  return removed;
}

}  // namespace swaprig::image
