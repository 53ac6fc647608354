#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/files.hpp"
#include "drive/file_claim.hpp"

namespace swaprig::drive {

/// What a simulated drive holds: sparse, as large as the drive. In memory it is gone with this process and the
/// server; in a file it is a FileClaim.
class SimulatedBytes {
 public:
  static SimulatedBytes in_memory(Bytes size);
  static SimulatedBytes in_file(const std::filesystem::path& file, const std::string& serial, Bytes size);

  /// For us and for processes that we start.
  const std::filesystem::path& path() const { return m_path; }
  /// Takes the range's space back; it reads as zeros. Throws FileError.
  void clear(Bytes offset, Bytes size) const;

 private:
  SimulatedBytes(Fd fd, std::unique_ptr<FileClaim> claim, std::filesystem::path path)
      : m_claim(std::move(claim)), m_fd(std::move(fd)), m_path(std::move(path)) {}

  std::unique_ptr<FileClaim> m_claim;
  Fd m_fd;
  std::filesystem::path m_path;
};

}  // namespace swaprig::drive
