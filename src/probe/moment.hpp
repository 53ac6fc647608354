#pragma once

#include <array>
#include <string>
#include <vector>

#include "probe/system.hpp"

namespace swaprig::probe {

/// The guest's counters at one moment, kept as the kernel wrote them. The files are opened by the constructor;
/// `read` neither allocates nor touches a drive.
class Moment {
 public:
  Moment();

  void read();
  /// One section a file that could be read (base/wire.hpp).
  std::string sections(const std::vector<std::string>& devices) const;

 private:
  struct Source {
    const char* name = nullptr;
    Descriptor file;
    std::vector<char> text;
    std::size_t length = 0;
  };

  std::array<Source, 8> m_sources;
};

}  // namespace swaprig::probe
