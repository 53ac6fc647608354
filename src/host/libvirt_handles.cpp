#include "host/libvirt_handles.hpp"

#include "base/text.hpp"

namespace swaprig::host {

LibvirtError::LibvirtError(const std::string& doing, const std::string& words, int code)
    : HostError(doing + ": " + words), m_code(code) {}

void throw_libvirt_error(const std::string& doing) {
  const virError* error = virGetLastError();
  if (error == nullptr || error->message == nullptr) throw LibvirtError(doing, "libvirt gives no reason", VIR_ERR_OK);
  throw LibvirtError(doing, printable_line(error->message, 2000), error->code);
}

std::string version_text(unsigned long version) {
  return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

int check(int result, const std::string& doing) {
  if (result < 0) throw_libvirt_error(doing);
  return result;
}

}  // namespace swaprig::host
