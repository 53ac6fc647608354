#pragma once

#include <string>
#include <string_view>

namespace swaprig::image {

/// Writes a cpio archive in the "newc" format (linux: Documentation/driver-api/early-userspace/buffer-format.rst).
/// Everything in it belongs to root and has time 0, so the same content gives the same bytes. Names are relative
/// ("modules/ext4.ko"); the folders above a name have to be added before it.
class CpioWriter {
 public:
  void folder(std::string_view name, unsigned mode = 0755);
  void file(std::string_view name, unsigned mode, std::string_view content);
  void character_device(std::string_view name, unsigned mode, unsigned major, unsigned minor);

  /// The archive with its trailer, padded to 512 bytes. The writer is empty afterwards.
  std::string finish();

 private:
  struct Device {
    unsigned major = 0;
    unsigned minor = 0;
  };
  void entry(std::string_view name, unsigned mode, unsigned links, std::string_view content, Device device);
  void pad(std::size_t alignment);

  std::string m_archive;
  unsigned m_inode = 0;
};

}  // namespace swaprig::image
