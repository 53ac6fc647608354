#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "base/wire.hpp"
#include "probe/file_reads.hpp"
#include "probe/modes.hpp"
#include "probe/page_pattern.hpp"
#include "probe/system.hpp"

namespace swaprig::probe {

namespace {

// Exit statuses of the mode.
constexpr int k_wrong_usage = 2;
constexpr int k_wrong_content = 3;
constexpr int k_touched_less = 4;
constexpr int k_no_memory = 5;

/// Whose files are read: what an image's programs and libraries lie in.
constexpr const char* k_read_folder = "/usr";

struct Options {
  std::uint64_t size = 0;
  bool random = false;
  std::uint64_t passes = 1;
  double write_share = 0.5;
  double compressible = 0;
  std::uint64_t seed = 1;
  std::uint64_t file_reads = 0;  ///< bytes
};

std::uint64_t whole_number(std::string_view name, std::string_view text) {
  const auto number = to_number(text);
  if (!number) throw Failure("--" + std::string(name) + "=" + std::string(text) + " is not a whole number");
  return *number;
}

double share(std::string_view name, std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || !(value >= 0 && value <= 1)) {
    throw Failure("--" + std::string(name) + "=" + copy + " is not a number from 0 to 1");
  }
  return value;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (const auto size = option_value(argument, "size")) {
      options.size = whole_number("size", *size);
    } else if (const auto pattern = option_value(argument, "pattern")) {
      if (*pattern != "sweep" && *pattern != "random") throw Failure("--pattern is neither sweep nor random");
      options.random = *pattern == "random";
    } else if (const auto passes = option_value(argument, "passes")) {
      options.passes = whole_number("passes", *passes);
    } else if (const auto writes = option_value(argument, "write-share")) {
      options.write_share = share("write-share", *writes);
    } else if (const auto zeros = option_value(argument, "compressible")) {
      options.compressible = share("compressible", *zeros);
    } else if (const auto reads = option_value(argument, "file-reads")) {
      options.file_reads = whole_number("file-reads", *reads);
    } else if (const auto seed = option_value(argument, "seed")) {
      options.seed = whole_number("seed", *seed);
    } else {
      throw Failure("unknown argument " + std::string(argument));
    }
  }
  if (options.size < k_page_bytes) throw Failure("--size has to be at least one page, 4096 bytes");
  return options;
}

/// The mapping and what is done with it.
class Hog {
 public:
  explicit Hog(const Options& options)
      : m_options(options),
        m_pattern(options.seed, options.compressible),
        m_pages(options.size / k_page_bytes + (options.size % k_page_bytes != 0 ? 1 : 0)),
        m_pieces(options.file_reads / wire::k_file_piece) {
    if (m_pieces > 0) m_files.emplace(k_read_folder, options.seed);
  }

  bool map() {
    void* const memory = mmap(nullptr, m_pages * k_page_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    m_words = static_cast<std::uint64_t*>(memory);
    // Pages of 4 KiB: a huge page is filled, split and swapped as one, so the same accesses would cause other traffic,
    // and whether the kernel finds huge pages differs from boot to boot.
    madvise(memory, m_pages * k_page_bytes, MADV_NOHUGEPAGE);
    return true;
  }

  void fill() {
    for (std::uint64_t page = 0; page < m_pages; ++page) {
      m_pattern.write(words(page), page, 0);
      read_files();
    }
    forget_what_is_known();
  }

  /// False when a page does not hold what was last written.
  bool pass(std::uint64_t number) {
    Permutation order(m_pages, m_options.seed + number);
    for (std::uint64_t i = 0; i < m_pages; ++i) {
      const std::uint64_t page = m_options.random ? order.next() : i;
      const auto version = version_after(m_options.seed, page, number - 1, m_options.write_share);
      if (!m_pattern.matches(words(page), page, version, mix(page ^ number))) return wrong(page, version);
      ++m_accesses;
      read_files();
      if (!rewrites(m_options.seed, page, number, m_options.write_share)) continue;
      m_pattern.write(words(page), page, number);
      ++m_rewritten;
    }
    forget_what_is_known();
    return true;
  }

  bool verify() {
    for (std::uint64_t page = 0; page < m_pages; ++page) {
      const auto version = version_after(m_options.seed, page, m_options.passes, m_options.write_share);
      if (!m_pattern.matches_wholly(words(page), page, version)) return wrong(page, version);
      ++m_verified;
      read_files();
    }
    return true;
  }

  bool touched_all() const {
    return m_accesses == m_pages * m_options.passes && m_verified == m_pages && m_pieces_read == m_pieces;
  }

  void print_totals() const {
    std::printf("memory: pages=%llu passes=%llu accesses=%llu rewritten=%llu verified=%llu file_bytes=%llu\n",
                static_cast<unsigned long long>(m_pages), static_cast<unsigned long long>(m_options.passes),
                static_cast<unsigned long long>(m_accesses), static_cast<unsigned long long>(m_rewritten),
                static_cast<unsigned long long>(m_verified),
                static_cast<unsigned long long>(m_files ? m_files->bytes() : 0));
  }

 private:
  /// Called once for every access to a page, of the filling and the last look as well: the reads are spread over all.
  void read_files() {
    if (m_pieces == 0) return;
    const auto all = m_pages * (m_options.passes + 2);
    for (auto due = events_of(m_steps++, all, m_pieces); due > 0; --due) {
      m_files->next();
      ++m_pieces_read;
    }
  }

  PageWords words(std::uint64_t page) { return PageWords(m_words + page * k_page_words, k_page_words); }

  /// Keeps the compiler from using what it knows of the memory instead of reading it.
  void forget_what_is_known() { asm volatile("" : : "r"(m_words) : "memory"); }

  bool wrong(std::uint64_t page, std::uint64_t version) const {
    std::fprintf(stderr, "memory: page %llu does not hold version %llu of its content: memory or swap is corrupt\n",
                 static_cast<unsigned long long>(page), static_cast<unsigned long long>(version));
    return false;
  }

  Options m_options;
  PagePattern m_pattern;
  std::uint64_t m_pages;
  std::uint64_t m_pieces;
  std::optional<FileReads> m_files;
  std::uint64_t m_steps = 0;
  std::uint64_t m_pieces_read = 0;
  std::uint64_t* m_words = nullptr;
  std::uint64_t m_accesses = 0;
  std::uint64_t m_rewritten = 0;
  std::uint64_t m_verified = 0;
};

int run(const Options& options) {
  Hog hog(options);
  if (!hog.map()) {
    std::fprintf(stderr, "memory: cannot map %llu bytes: %s\n", static_cast<unsigned long long>(options.size),
                 strerror(errno));
    return k_no_memory;
  }
  hog.fill();
  for (std::uint64_t number = 1; number <= options.passes; ++number) {
    if (!hog.pass(number)) return k_wrong_content;
  }
  if (!hog.verify()) return k_wrong_content;
  hog.print_totals();
  if (hog.touched_all()) return 0;
  std::fprintf(stderr, "memory: touched less than asked\n");
  return k_touched_less;
}

}  // namespace

int memory_mode(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const Failure& failure) {
    std::fprintf(stderr, "memory: %s\n", failure.what());
    return k_wrong_usage;
  }
}

}  // namespace swaprig::probe
