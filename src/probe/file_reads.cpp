#include "probe/file_reads.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/wire.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

constexpr std::size_t k_most_files = 100'000;
constexpr std::uint64_t k_alignment = 4096;

struct FoundFile {
  std::string path;
  std::uint64_t size = 0;
};

void find_files(const std::string& folder, dev_t file_system, std::vector<FoundFile>& found) {
  DIR* const stream = opendir(folder.c_str());
  if (stream == nullptr) return;
  while (const dirent* const entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    const std::string path = folder + "/" + entry->d_name;
    struct stat status {};
    if (name == "." || name == ".." || lstat(path.c_str(), &status) != 0 || status.st_dev != file_system) continue;
    if (found.size() >= k_most_files) break;
    if (S_ISDIR(status.st_mode)) {
      find_files(path, file_system, found);
    } else if (S_ISREG(status.st_mode) && status.st_size > 0 && access(path.c_str(), R_OK) == 0) {
      found.push_back({path, static_cast<std::uint64_t>(status.st_size)});
    }
  }
  closedir(stream);
}

}  // namespace

FileReads::FileReads(const std::string& folder, std::uint64_t seed) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) fail("cannot read the files below " + folder);
  std::vector<FoundFile> found;
  find_files(folder, status.st_dev, found);
  if (found.empty()) throw Failure("there is no file below " + folder + " that could be read");
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  for (const auto& file : found) {
    for (std::uint64_t offset = 0; offset < file.size; offset += wire::k_file_piece) {
      m_pieces.push_back({m_files.size(), offset});
    }
    m_files.push_back(file.path);
  }
  m_order.emplace(m_pieces.size(), seed);
}

void FileReads::next() {
  alignas(k_alignment) static char buffer[wire::k_file_piece];
  const auto& piece = m_pieces[m_order->next()];
  const auto& path = m_files[piece.file];
  const Descriptor file(open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!file) fail("cannot open " + path + " past the page cache");
  for (;;) {
    const auto got = pread(file.get(), buffer, wire::k_file_piece, static_cast<off_t>(piece.offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read " + path);
    if (got == 0) throw Failure(path + " became shorter while it was read");
    m_bytes += static_cast<std::uint64_t>(got);
    return;
  }
}

std::uint64_t events_of(std::uint64_t access, std::uint64_t accesses, std::uint64_t total) {
  // Whole numbers only, so that the sum over all accesses is exactly `total`; 2^64 is far: pages times pieces.
  return (access + 1) * total / accesses - access * total / accesses;
}

}  // namespace swaprig::probe
