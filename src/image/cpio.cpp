#include "image/cpio.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <limits>
#include <utility>

#include "base/assert.hpp"

namespace swaprig::image {

void CpioWriter::folder(std::string_view name, unsigned mode) { entry(name, S_IFDIR | mode, 2, {}, {}); }

void CpioWriter::file(std::string_view name, unsigned mode, std::string_view content) {
  entry(name, S_IFREG | mode, 1, content, {});
}

void CpioWriter::character_device(std::string_view name, unsigned mode, unsigned major, unsigned minor) {
  entry(name, S_IFCHR | mode, 1, {}, {major, minor});
}

std::string CpioWriter::finish() {
  entry("TRAILER!!!", 0, 1, {}, {});
  pad(512);
  m_inode = 0;
  return std::exchange(m_archive, {});
}

void CpioWriter::entry(std::string_view name, unsigned mode, unsigned links, std::string_view content, Device device) {
  SWAPRIG_ASSERT(!name.empty() && name.front() != '/');
  SWAPRIG_ASSERT(content.size() <= std::numeric_limits<std::uint32_t>::max());
  ++m_inode;
  m_archive += "070701";
  for (const std::size_t field :
       {std::size_t{m_inode}, std::size_t{mode}, std::size_t{0}, std::size_t{0}, std::size_t{links}, std::size_t{0},
        content.size(), std::size_t{0}, std::size_t{0}, std::size_t{device.major}, std::size_t{device.minor},
        name.size() + 1, std::size_t{0}}) {
    m_archive += fmt::format("{:08X}", field);
  }
  m_archive += name;
  m_archive += '\0';
  pad(4);
  m_archive += content;
  pad(4);
}

void CpioWriter::pad(std::size_t alignment) {
  m_archive.append((alignment - m_archive.size() % alignment) % alignment, '\0');
}

}  // namespace swaprig::image
