#pragma once

// Reads of files beside the memory workload's swapping, as programs cause whose code was evicted.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/page_pattern.hpp"

namespace swaprig::probe {

/// Reads the regular files below a folder, piece by piece (`wire::k_file_piece`), in an order that only the seed and the files
/// decide, past the page cache; scattered, so that neither the guest nor the drive has read a piece ahead. After the last piece
/// all come again.
class FileReads {
 public:
  /// Throws Failure when no file there can be read. Stays on the folder's file system.
  FileReads(const std::string& folder, std::uint64_t seed);

  /// The next piece; shorter where a file ends. Throws Failure.
  void next();
  std::uint64_t bytes() const { return m_bytes; }

 private:
  struct Piece {
    std::size_t file = 0;
    std::uint64_t offset = 0;
  };

  std::vector<std::string> m_files;
  std::vector<Piece> m_pieces;
  std::optional<Permutation> m_order;
  std::uint64_t m_bytes = 0;
};

/// Spreads `total` events evenly over `accesses` accesses: how many of them belong to the access with this number, from 0.
std::uint64_t events_of(std::uint64_t access, std::uint64_t accesses, std::uint64_t total);

}  // namespace swaprig::probe
