#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/files.hpp"

namespace swaprig::drive {

/// The right to make, use and remove one drive file. Beside NAME.raw lie NAME.raw.lock, held while the claim lives, and
/// the marker NAME.raw.swaprig, which says that the file is ours and which it is (inode and birth). The destructor
/// removes all three.
class FileClaim {
 public:
  /// Removes what a killed swaprig left. Throws HostError when another process holds the drive (naming it), or when
  /// something is there that swaprig did not make; then nothing was touched.
  FileClaim(std::filesystem::path file, std::string serial, Bytes size);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  const std::filesystem::path& file() const { return m_file; }

  /// The new, empty file, opened O_RDWR, O_EXCL and with `flags`; throws FileError.
  Fd create(int flags);

 private:
  void write_marker(const nlohmann::json& identity) const;
  std::filesystem::path marker() const;
  std::filesystem::path lock_file() const;

  std::filesystem::path m_file;
  std::string m_serial;
  Bytes m_size;
  FileLock m_lock;
  bool m_created = false;
};

}  // namespace swaprig::drive
