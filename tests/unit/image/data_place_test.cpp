#include "image/data_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/block_map.hpp"
#include "image/file_system.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

namespace fs = std::filesystem;

/// A small tree in an ext4 of 128 MiB, as an image is made.
struct World {
  TemporaryFolder folder;
  SystemCommandRunner commands;
  fs::path file = folder.path() / "ext4";

  World() {
    const auto tree = folder.path() / "tree";
    for (const char* name : {"usr/lib/deep/er", "usr/bin", "etc", "var/lib", "empty"}) make_folders(tree / name);
    write(tree / "usr/lib/library", 3'000'000, 'l');
    write(tree / "usr/lib/deep/er/file", 700'000, 'd');
    write(tree / "usr/bin/program", 1'000'000, 'p');
    write(tree / "etc/hosts", 100, 'h');
    write(tree / "var/lib/data", 2'000'000, 'v');
    // Enough extents that the tree that maps the file has blocks of its own.
    {
      const Fd fd = open_file(tree / "holes", O_WRONLY | O_CREAT, "test");
      for (off_t at = 0; at < 64; ++at) REQUIRE(::pwrite(fd.get(), "hole", 4, at * 32768) == 4);
    }
    fs::create_hard_link(tree / "usr/bin/program", tree / "etc/same-program");
    fs::create_symlink(std::string(100, 'x'), tree / "etc/long-link");
    const auto plan = plan_file_system("x", std::string(64, '7'), mib(12), 40, mib(128));
    std::ofstream(file).close();
    REQUIRE(::truncate(file.c_str(), static_cast<off_t>(plan.size.count)) == 0);
    run_checked(commands, mke2fs_command(plan, tree, file));
  }

  static void write(const fs::path& path, std::size_t size, char content) {
    std::string text(size, content);
    for (std::size_t i = 0; i + 8 <= size; i += 4096) text.replace(i, 8, std::to_string(10'000'000 + i));
    std::ofstream(path, std::ios::binary) << text;
  }

  std::string debugfs(const std::string& request) {
    return run_checked(commands, {.program = "debugfs", .arguments = {"-R", request, file.string()}});
  }

  std::string digest(const std::string& path) {
    const auto copy = folder.path() / "copy";
    debugfs("dump " + path + " " + copy.string());
    return sha256(read_file(copy));
  }

  std::vector<std::string> digests() {
    std::vector<std::string> result;
    for (const char* path : {"/usr/lib/library", "/usr/lib/deep/er/file", "/usr/bin/program", "/etc/hosts",
                             "/etc/same-program", "/var/lib/data", "/holes"}) {
      result.push_back(digest(path));
    }
    result.push_back(debugfs("ls -l /etc"));
    result.push_back(debugfs("ls -l /usr/lib/deep/er"));
    return result;
  }

  /// The first block of a file.
  std::uint64_t first_block(const std::string& path) { return std::stoull(debugfs("bmap " + path + " 0")); }

  /// Bytes of the host.
  std::int64_t taken() {
    const Fd fd = open_file(file, O_RDONLY, "test");
    REQUIRE(::fsync(fd.get()) == 0);
    struct stat status {};
    REQUIRE(::fstat(fd.get(), &status) == 0);
    return std::int64_t{status.st_blocks} * 512;
  }

  void require_sound() { run_checked(commands, {.program = "e2fsck", .arguments = {"-fn", file.string()}}); }
};

Bytes total(const std::vector<Range>& ranges) {
  Bytes sum;
  for (const auto& range : ranges) sum = sum + range.size;
  return sum;
}

}  // namespace

TEST_CASE("files that are packed at the end of a file system keep their contents") {
  World world;
  const auto before = world.digests();
  const auto map_before = read_block_map(world.file);
  const auto taken_before = world.taken();
  place_data(world.file, spec::RootData::end);
  world.require_sound();
  CHECK(world.digests() == before);
  // What was moved away takes no space of the host any more, but for what its file system gives in advance.
  CHECK(world.taken() < taken_before + 3'000'000);

  const auto map = read_block_map(world.file);
  // Blocks that map a file stay where they are; all others are in the last 16 of 128 MiB.
  Bytes low;
  for (const auto& range : map.data) {
    if (range.offset < mib(112)) low = low + range.size;
  }
  CHECK(low <= kib(16));
  CHECK(map.data.back().offset + map.data.back().size == mib(128));
  CHECK(total(map.data) >= total(map_before.data));
  CHECK(total(map.data) <= total(map_before.data) + kib(16));
  CHECK(world.first_block("/usr/lib/library") * 4096 > mib(112).count);
}

TEST_CASE("folders that are spread over a file system keep their contents, each at its place") {
  World world;
  const auto before = world.digests();
  place_data(world.file, spec::RootData::spread);
  world.require_sound();
  CHECK(world.digests() == before);

  // Parts in order: / /empty /etc /lost+found /usr /usr/bin /usr/lib /var /var/lib
  const auto at = [&](std::size_t part) { return even_places(9, mib(128).count / 4096)[part]; };
  const auto near = [&](const std::string& path, std::size_t part) {
    const auto block = world.first_block(path);
    INFO(path << " at block " << block << ", its place " << at(part));
    // Within the few MiB that hold the part, or behind the file system's own blocks there.
    CHECK(block >= at(part));
    CHECK(block < at(part) + 2500);
  };
  near("/etc/hosts", 2);
  near("/usr/lib/library", 6);
  near("/usr/lib/deep/er/file", 6);
  near("/var/lib/data", 8);
}

TEST_CASE("the same file system gives the same places, and start changes nothing") {
  World world;
  const auto copy = world.folder.path() / "again";
  fs::copy_file(world.file, copy);
  place_data(copy, spec::RootData::start);
  CHECK(world.commands.run({.program = "cmp", .arguments = {world.file.string(), copy.string()}}).status == 0);
  place_data(world.file, spec::RootData::end);
  place_data(copy, spec::RootData::end);
  CHECK(read_block_map(world.file) == read_block_map(copy));
}

TEST_CASE("a file that is no file system is named when its files are to be moved") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "nothing";
  std::ofstream(file) << std::string(100000, '\0');
  CHECK_THROWS_AS(place_data(file, spec::RootData::end), Error);
}

TEST_CASE("even places") {
  CHECK(even_places(4, 100) == std::vector<std::uint64_t>{0, 25, 50, 75});
  CHECK(even_places(3, 100) == std::vector<std::uint64_t>{0, 33, 66});
  CHECK(even_places(1, 100) == std::vector<std::uint64_t>{0});
  CHECK(even_places(0, 100).empty());
}
