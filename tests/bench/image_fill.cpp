// Fills a partition of 2 TB with an image that is in the cache, as a run does: `image_fill IMAGES-FOLDER NAME FILE
// COUNT`. FILE is made, sparse; "memory" in its place fills memory, as a simulated drive has it. The first fill also
// makes the file system of that size. Prints "SECONDS BYTES" for each of the others.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "base/files.hpp"
#include "image/image_store.hpp"

using namespace swaprig;

namespace {

constexpr Bytes k_size{2'000'000'000'000 / 4096 * 4096};

int fill(const std::string& images, const std::string& name, const std::string& file, int count) {
  SystemCommandRunner commands;
  SystemClock clock;
  const char* cache = std::getenv("SWAPRIG_CACHE");
  image::ImageStore store(images, cache != nullptr ? cache : standard_folders(std::nullopt).cache, commands, clock);
  const auto image = store.ensure(name, [](const std::string& line) { std::cerr << line << '\n'; });

  const bool memory = file == "memory";
  const Fd fd(memory ? ::memfd_create("bench", MFD_CLOEXEC) : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(k_size.count)) != 0) {
    throw FileError("cannot make a drive in", file, errno);
  }
  const auto path = memory ? fmt::format("/proc/self/fd/{}", fd.get()) : file;
  for (int i = 0; i <= count; ++i) {
    if (memory &&
        ::fallocate(fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(k_size.count)) != 0) {
      throw FileError("cannot empty", file, errno);
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto report = store.fill(image, {path, Bytes{0}, k_size, !memory});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (i > 0) fmt::print("{:.3f} {}\n", took.count(), report.written.count);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: image_fill IMAGES-FOLDER NAME FILE|memory COUNT\n";
    return 2;
  }
  try {
    return fill(argv[1], argv[2], argv[3], std::atoi(argv[4]));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
