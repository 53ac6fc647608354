#include "image/image_store.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "base/diagnostic.hpp"
#include "base/text.hpp"
#include "image/image_cache.hpp"
#include "image/root_tar.hpp"
#include "support/catch.hpp"
#include "support/delegating_runner.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

namespace fs = std::filesystem;

void silent(const std::string&) {}

struct World {
  TemporaryFolder folder;
  fs::path definitions = folder.path() / "images";
  fs::path cache = folder.path() / "cache";
  testing::DelegatingRunner commands;
  SystemClock clock;
  ImageStore store{definitions, cache, commands, clock};

  World() {
    make_folders(definitions);
    std::ofstream(definitions / "tiny.toml") << "schema = 1\nsuite = \"bookworm\"\n";
  }

  std::string words_of_ensure(const std::string& name) {
    try {
      store.ensure(name, silent);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  /// Puts an image with one file of its own into the cache as a build would leave it, with files of the build in its tar.
  BuiltImage built() {
    const auto tree = folder.path() / "tree";
    make_folders(tree / "etc");
    std::ofstream(tree / "etc/secret") << "s";
    ::chmod((tree / "etc/secret").c_str(), 0600);
    make_folders(tree / ".swaprig/out");
    std::ofstream(tree / ".swaprig/out/linux-image.deb") << std::string(mib(8).count, 'k');
    const auto image = spec::load_image((definitions / "tiny.toml").string());
    const auto digest = definition_digest(image, host_architecture());
    ImageCache images(cache, commands, clock);
    images.ensure(
        ImageCache::key("tiny", digest),
        [&](const fs::path& made) {
          run_checked(commands, {.program = "tar",
                                 .arguments = {"-cf", (made / "rootfs.tar").string(), "-C", tree.string(), "."}});
          const auto content = tar_content(made / "rootfs.tar", commands);
          return Manifest{"tiny",
                          digest,
                          "2026-01-01T00:00:00.000Z",
                          "bookworm",
                          "linux-image-amd64",
                          "6.1.0",
                          content.data,
                          content.inodes,
                          "bash 1\n",
                          {}};
        },
        silent);
    return store.ensure("tiny", silent);
  }

  /// Makes what mmdebstrap and the packages of a kernel would, from the files that the build puts into the image.
  void have_mmdebstrap() {
    commands.answer = [this](const Command& command) -> std::optional<CommandResult> {
      if (command.program == "mmdebstrap") return bootstrap(command);
      if (command.program == "depmod") return CommandResult{};
      if (command.program != "dpkg-deb") return std::nullopt;
      const fs::path root = command.arguments.at(2);
      make_folders(root / "boot");
      make_folders(root / "lib/modules/6.1.0");
      std::string kernel(1024, '\0');
      kernel[0x1f1] = 1;
      kernel.replace(0x202, 4, "HdrS");
      kernel.replace(0x206, 2, "\x0f\x02");
      kernel[0x24c] = 64;
      std::ofstream(root / "boot/vmlinuz-6.1.0") << kernel
                                                 << "\x7f"
                                                    "ELF"
                                                 << std::string(60, 'k');
      std::ofstream(root / "lib/modules/6.1.0/modules.dep");
      return CommandResult{};
    };
  }

  CommandResult bootstrap(const Command& command) {
    const auto tar = *std::find_if(command.arguments.begin(), command.arguments.end(),
                                   [](const std::string& word) { return word.ends_with("/rootfs.tar"); });
    const auto root = folder.path() / "bootstrapped";
    make_folders(root / "etc");
    const auto input = (fs::path(tar).parent_path() / "input.tar").string();
    run_checked(commands, {.program = "tar", .arguments = {"-xf", input, "-C", root.string()}});
    make_folders(root / ".swaprig/out");
    std::ofstream(root / ".swaprig/out/packages") << "git 1:2.39.5\n";
    std::ofstream(root / ".swaprig/out/linux-image.deb") << "deb";
    run_checked(commands, {.program = "tar", .arguments = {"-cf", tar, "-C", root.string(), "."}});
    return {};
  }

  std::string debugfs(const fs::path& disk, const std::string& request) {
    return run_checked(commands,
                       {.program = "debugfs", .arguments = {"-R", request, disk.string() + "?offset=1048576"}});
  }
};

}  // namespace

TEST_CASE("an unknown image is refused with the nearest name") {
  World world;
  CHECK_THROWS_AS(world.store.ensure("tyni", silent), UsageError);
  CHECK(world.words_of_ensure("tyni").find("did you mean 'tiny'") != std::string::npos);
  CHECK_THROWS_AS(world.store.ensure("../tiny", silent), UsageError);
}

TEST_CASE("a faulty definition gives its diagnostics") {
  World world;
  std::ofstream(world.definitions / "bad.toml") << "schema = 1\nsuit = 1\n";
  CHECK_THROWS_AS(world.store.ensure("bad", silent), BadInput);
  CHECK(world.store.list().empty());
}

TEST_CASE("a missing program is named with its package before anything is done") {
  World world;
  world.commands.missing = {"mmdebstrap"};
  CHECK(world.words_of_ensure("tiny").find("apt-get install mmdebstrap") != std::string::npos);
  CHECK(fs::is_empty(world.cache / "images"));
}

TEST_CASE("a build without network fails with mmdebstrap's last words and a hint") {
  World world;
  world.commands.answer = [](const Command& command) -> std::optional<CommandResult> {
    if (command.program.find("apt") != std::string::npos) return CommandResult{1, false, "", ""};
    if (command.program != "mmdebstrap") return std::nullopt;
    return CommandResult{25, false, "", "I: running apt-get update\nE: Could not resolve 'mirror.example'\n"};
  };
  CHECK_THROWS_AS(world.store.ensure("tiny", silent), CommandError);
  const auto words = world.words_of_ensure("tiny");
  CHECK(words.find("cannot build the image tiny") != std::string::npos);
  CHECK(words.find("Could not resolve 'mirror.example'") != std::string::npos);
  CHECK(words.find("check the network") != std::string::npos);
  CHECK(fs::is_empty(world.cache / "images"));
}

TEST_CASE("an image with a source: the tree is in it and clean, git is installed, the manifest names it") {
  World world;
  world.have_mmdebstrap();
  make_folders(world.folder.path() / "a-1/sub");
  std::ofstream(world.folder.path() / "a-1/sub/Main.hs") << "main";
  const auto tarball = world.definitions / "a.tar.gz";
  run_checked(world.commands,
              {.program = "tar", .arguments = {"-caf", tarball.string(), "-C", world.folder.path().string(), "a-1"}});
  const auto digest = sha256(read_file(tarball));
  std::ofstream(world.definitions / "with.toml") << "schema = 1\nsuite = \"bookworm\"\n[[sources]]\nto = \"/src/a\"\n"
                                                 << "tarball = \"a.tar.gz\"\nsha256 = \"" << digest << "\"\n";
  const auto image = world.store.ensure("with", silent);

  const auto unpacked = world.folder.path() / "unpacked";
  make_folders(unpacked);
  run_checked(world.commands, {.program = "tar",
                               .arguments = {"-xf", (image.folder / "rootfs.tar").string(), "-C", unpacked.string()}});
  const auto tree = unpacked / "src/a";
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", tree.string()});
    return run_checked(world.commands, {.program = "git", .arguments = std::move(words)});
  };
  CHECK(read_file(tree / "sub/Main.hs") == "main");
  CHECK(git({"status", "--porcelain"}).empty());
  std::ofstream(tree / "made") << "m";
  git({"clean", "-fdxq"});
  CHECK_FALSE(fs::exists(tree / "made"));

  const auto manifest = manifest_from_json(read_file(image.folder / "manifest.json"));
  CHECK(manifest.sources == std::map<std::string, std::string>{{"/src/a", "tarball a.tar.gz " + digest}});
  const auto& ran = world.commands.commands;
  const auto bootstrap = std::find_if(ran.begin(), ran.end(), [](const auto& c) { return c.program == "mmdebstrap"; });
  REQUIRE(bootstrap != ran.end());
  CHECK(bootstrap->arguments.at(3).ends_with(",git"));
  CHECK_FALSE(fs::exists(image.folder / "work"));
}

TEST_CASE("a source that cannot be had ends the build before anything is installed, and leaves nothing") {
  World world;
  world.have_mmdebstrap();
  std::ofstream(world.definitions / "a.tar") << "no tar";
  std::ofstream(world.definitions / "with.toml")
      << "schema = 1\nsuite = \"bookworm\"\n[[sources]]\nto = \"/src/a\"\n"
      << "tarball = \"a.tar\"\nsha256 = \"" << std::string(64, '0') << "\"\n";
  CHECK_THROWS_AS(world.store.ensure("with", silent), BadInput);
  CHECK(fs::is_empty(world.cache / "images"));
  const auto& ran = world.commands.commands;
  CHECK(std::none_of(ran.begin(), ran.end(), [](const auto& c) { return c.program == "mmdebstrap"; }));
}

TEST_CASE("an image is poured into the middle of a drive that held something else") {
  World world;
  const auto image = world.built();
  const auto disk = world.folder.path() / "disk";
  std::ofstream(disk, std::ios::binary) << std::string(mib(18).count, 'o');
  const Target target{disk, mib(1), mib(16)};

  const auto report = world.store.fill(image, target);
  CHECK(image.data == kib(12));
  CHECK(report.written > mib(4));
  CHECK(report.written < mib(5));
  REQUIRE_FALSE(report.data.empty());
  CHECK(report.data.back().offset + report.data.back().size <= target.size);

  const auto made = world.commands.commands.size();
  CHECK(world.store.fill(image, target).data == report.data);
  const auto& later = world.commands.commands;
  CHECK(std::none_of(later.begin() + static_cast<std::ptrdiff_t>(made), later.end(),
                     [](const Command& command) { return to_string(command).find("mke2fs") != std::string::npos; }));

  const auto text = read_file(disk);
  CHECK(text.substr(0, mib(1).count) == std::string(mib(1).count, 'o'));
  CHECK(text.substr(mib(17).count) == std::string(mib(1).count, 'o'));
  const auto partition = world.folder.path() / "partition";
  std::ofstream(partition, std::ios::binary) << std::string_view(text).substr(mib(1).count, mib(16).count);
  run_checked(world.commands, {.program = "e2fsck", .arguments = {"-fn", partition.string()}});
  CHECK(world.debugfs(disk, "cat /etc/secret") == "s");
  CHECK(world.debugfs(disk, "ls -p /").find(".swaprig") == std::string::npos);
  CHECK(world.debugfs(disk, "stat /etc/secret").find("Mode:  0600") != std::string::npos);
}

TEST_CASE("an image that does not fit is refused before anything is written") {
  World world;
  const auto image = world.built();
  const auto disk = world.folder.path() / "disk";
  std::ofstream(disk, std::ios::binary) << std::string(mib(4).count, 'o');
  CHECK_THROWS_AS(world.store.fill(image, {disk, Bytes{0}, mib(4)}), HostError);
  CHECK(read_file(disk) == std::string(mib(4).count, 'o'));
}

TEST_CASE("images are listed and removed by name or digest, not while somebody uses them") {
  World world;
  {
    const auto image = world.built();
    const auto listed = world.store.list();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].name == "tiny");
    CHECK(listed[0].digest == image.digest);
    CHECK(listed[0].size > kib(4));
    CHECK(listed[0].current);
    CHECK_THROWS_AS(world.store.remove("tiny"), UsageError);
  }
  std::ofstream(world.definitions / "tiny.toml") << "schema = 1\nsuite = \"trixie\"\n";
  const auto outdated = world.store.list();
  REQUIRE(outdated.size() == 1);
  CHECK_FALSE(outdated[0].current);

  CHECK_THROWS_AS(world.store.remove("other"), UsageError);
  CHECK_THROWS_AS(world.store.remove(""), UsageError);
  CHECK(world.store.remove(outdated[0].digest.substr(0, 12)) == 1);
  CHECK(world.store.list().empty());
  CHECK_THROWS_AS(world.store.remove("tiny"), UsageError);
}
