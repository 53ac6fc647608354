#include "drive/device_content.hpp"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/handle.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

using Probe = std::unique_ptr<std::remove_pointer_t<blkid_probe>, FreeWith<&blkid_free_probe>>;

constexpr std::size_t k_block = 4096;
constexpr int k_most_signatures = 64;  // a device that shows more is shown with these

struct ImageMagic {
  std::string_view magic;
  const char* type;
};
constexpr std::array k_image_magics{ImageMagic{"QFI\xfb", "qcow2"}, ImageMagic{"KDMV", "vmdk"},
                                    ImageMagic{"vhdxfile", "vhdx"}};

std::string value_of(blkid_probe probe, const char* name) {
  const char* text = nullptr;
  if (blkid_probe_lookup_value(probe, name, &text, nullptr) != 0 || text == nullptr) return {};
  return printable_line(text);
}

Probe probe_of(int fd) {
  Probe probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), fd, 0, 0) != 0) return nullptr;
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
                                                     BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  return probe;
}

Signature signature_of(blkid_probe probe) {
  Signature signature;
  if (const auto offset = value_of(probe, "PTMAGIC_OFFSET"); !offset.empty()) {
    signature = {value_of(probe, "PTTYPE"), "table", value_of(probe, "PTUUID"), "", Bytes{}};
    signature.offset = Bytes{std::strtoull(offset.c_str(), nullptr, 10)};
    return signature;
  }
  signature = {value_of(probe, "TYPE"), value_of(probe, "USAGE"), value_of(probe, "UUID"), value_of(probe, "LABEL"),
               Bytes{}};
  signature.offset = Bytes{std::strtoull(value_of(probe, "SBMAGIC_OFFSET").c_str(), nullptr, 10)};
  return signature;
}

/// What was found is hidden, so that the next one shows, as wipefs(8) does it.
void hide_found(blkid_probe probe) {
  for (const auto& [offset, magic] : {std::pair{"PTMAGIC_OFFSET", "PTMAGIC"}, std::pair{"SBMAGIC_OFFSET", "SBMAGIC"}}) {
    const auto start = value_of(probe, offset);
    std::size_t length = 0;
    if (start.empty() || blkid_probe_lookup_value(probe, magic, nullptr, &length) != 0) continue;
    blkid_probe_hide_range(probe, std::strtoull(start.c_str(), nullptr, 10), length);
  }
  blkid_probe_step_back(probe);
}

void add_image_headers(int fd, std::vector<Signature>& signatures) {
  std::array<char, 8> start{};
  if (::pread(fd, start.data(), start.size(), 0) != static_cast<ssize_t>(start.size())) return;
  const std::string_view text(start.data(), start.size());
  for (const auto& image : k_image_magics) {
    if (text.starts_with(image.magic)) signatures.push_back({image.type, "image", "", "", Bytes{0}});
  }
}

/// Empty, or why one block cannot be read past the host's cache.
int direct_read_error(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!fd) return errno;
  const std::unique_ptr<void, FreeWith<&std::free>> block(std::aligned_alloc(k_block, k_block));
  return ::pread(fd.get(), block.get(), k_block, 0) < 0 ? errno : 0;
}

std::string partuuid_of(int fd) {
  const Probe probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), fd, 0, 0) != 0) return {};
  blkid_probe_enable_superblocks(probe.get(), 0);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_ENTRY_DETAILS);
  blkid_do_safeprobe(probe.get());
  return value_of(probe.get(), "PART_ENTRY_UUID");
}

}  // namespace

DeviceContent read_content(const std::string& path, bool partition) {
  DeviceContent content;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    content.unreadable = std::strerror(errno);
    return content;
  }
  const auto probe = probe_of(fd.get());
  if (!probe) {
    content.unreadable = "libblkid cannot look at it";
    return content;
  }
  int found = 0;
  for (int i = 0; i < k_most_signatures && (found = blkid_do_probe(probe.get())) == 0; ++i) {
    content.signatures.push_back(signature_of(probe.get()));
    hide_found(probe.get());
  }
  if (found < 0) content.unreadable = "reading it fails";
  add_image_headers(fd.get(), content.signatures);
  if (partition) content.partuuid = partuuid_of(fd.get());
  content.without_direct_io = direct_read_error(path) == EINVAL;
  return content;
}

void wipe_signatures(int fd, const std::string& path, const std::vector<std::string>& types) {
  const auto probe = probe_of(fd);
  if (!probe) throw HostError("libblkid cannot look at " + path);
  for (int i = 0; i < k_most_signatures && blkid_do_probe(probe.get()) == 0; ++i) {
    const auto type = signature_of(probe.get()).type;
    if (!types.empty() && std::find(types.begin(), types.end(), type) == types.end()) {
      hide_found(probe.get());
      continue;
    }
    if (blkid_do_wipe(probe.get(), 0) != 0)
      throw FileError("cannot remove the signature " + type + " from", path, errno);
  }
  if (::fsync(fd) != 0) throw FileError("cannot sync", path, errno);
}

}  // namespace swaprig::drive
