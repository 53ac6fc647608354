#include "image/source_trees.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/source_package.hpp"
#include "support/catch.hpp"
#include "support/delegating_runner.hpp"

using namespace swaprig;
using namespace swaprig::image;
using Kind = spec::ImageSource::Kind;

namespace {

namespace fs = std::filesystem;

void silent(const std::string&) {}

struct World {
  TemporaryFolder folder;
  testing::DelegatingRunner commands;
  HostApt apt;
  spec::Image image;

  World() {
    image.name = "x";
    image.path = (folder.path() / "x.toml").string();
    std::ofstream(image.path) << "schema = 1\n[[sources]]\n";
    apt.sources = {"deb [signed-by=/k.gpg] http://m.example bookworm main"};
  }

  fs::path path(const std::string& name) const { return folder.path() / name; }

  void write(const std::string& name, const std::string& text) const {
    make_folders(path(name).parent_path());
    std::ofstream(path(name)) << text;
  }

  void tar(const std::string& tarball, std::vector<std::string> members) {
    std::vector<std::string> arguments{"-caPf", path(tarball).string(), "-C", folder.path().string()};
    arguments.insert(arguments.end(), members.begin(), members.end());
    run_checked(commands, {.program = "tar", .arguments = std::move(arguments)});
  }

  std::string git(const fs::path& repository, std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "user.name=n", "-c", "user.email=e", "-C", repository.string()});
    return run_checked(commands, {.program = "git", .arguments = std::move(words)});
  }

  void source(Kind kind, const std::string& from, const std::string& proof = "") {
    image.sources = {{kind, "/src/x", from, proof, {2, 1}}};
  }

  void tarball_source(const std::string& name) {
    source(Kind::tarball, path(name).string(), sha256(read_file(path(name))));
  }

  std::vector<SourceTree> make() { return make_source_trees(image, apt, path("work"), commands, silent); }

  std::string fault() {
    try {
      make();
    } catch (const BadInput& bad) {
      CHECK(bad.diagnostics().front().file == image.path);
      CHECK(bad.diagnostics().front().line == 2);
      return bad.diagnostics().front().message + "\n" + bad.diagnostics().front().hint;
    }
    return "no fault";
  }

  bool unpacked() const {
    return std::any_of(commands.commands.begin(), commands.commands.end(), [](const Command& command) {
      const auto& words = command.arguments;
      return std::find(words.begin(), words.end(), "--extract") != words.end();
    });
  }

  /// Answers as apt-get and dpkg-source do for a package with one file.
  void have_package(const std::string& dsc) {
    commands.answer = [dsc](const Command& command) -> std::optional<CommandResult> {
      if (command.program == "apt-get") {
        if (command.arguments.back() != "update") std::ofstream(command.directory / "p_1.dsc") << dsc;
        return CommandResult{};
      }
      if (command.program != "dpkg-source") return std::nullopt;
      make_folders(command.arguments.back());
      std::ofstream(fs::path(command.arguments.back()) / "file") << "f";
      return CommandResult{};
    };
  }

  void have_apt_say(const std::string& words) {
    commands.answer = [words](const Command& command) -> std::optional<CommandResult> {
      if (command.program != "apt-get") return std::nullopt;
      return command.arguments.back() == "update" ? CommandResult{} : CommandResult{100, false, "", words};
    };
  }
};

}  // namespace

TEST_CASE("a tarball comes without its top folder, and all of it is under git") {
  for (const std::string name : {"a.tar", "a.tar.gz", "a.tar.xz"}) {
    World world;
    world.write("a-1/Main.hs", "main");
    world.write("a-1/.gitignore", "*.generated\n");
    world.write("a-1/kept.generated", "k");
    fs::create_symlink("Main.hs", world.path("a-1/link"));
    fs::permissions(world.path("a-1/Main.hs"), fs::perms(0755));
    world.tar(name, {"a-1"});
    world.tarball_source(name);

    const auto trees = world.make();
    REQUIRE(trees.size() == 1);
    const auto& tree = trees[0].folder;
    CHECK(trees[0].to == "/src/x");
    CHECK(trees[0].origin == "tarball " + name + " " + world.image.sources[0].proof);
    CHECK(read_file(tree / "link") == "main");
    CHECK(world.git(tree, {"status", "--porcelain", "--ignored"}).empty());
    CHECK(world.git(tree, {"log", "--format=%an %ae %ai %ci %s"}) ==
          "swaprig swaprig@localhost 2000-01-01 00:00:00 +0000 2000-01-01 00:00:00 +0000 " + trees[0].origin + "\n");

    world.write("work/1/made.generated", "m");
    world.write("work/1/dist/made", "m");
    world.git(tree, {"clean", "-fdxq"});
    CHECK_FALSE(fs::exists(tree / "made.generated"));
    CHECK_FALSE(fs::exists(tree / "dist"));
    CHECK(read_file(tree / "kept.generated") == "k");
  }
}

TEST_CASE("a tarball without a top folder is taken as it is") {
  World world;
  world.write("a", "1");
  world.write("b/c", "2");
  world.tar("flat.tar", {"./a", "./b"});
  world.tarball_source("flat.tar");
  const auto trees = world.make();
  CHECK(read_file(trees.at(0).folder / "a") == "1");
  CHECK(read_file(trees.at(0).folder / "b/c") == "2");
}

TEST_CASE("the same content gives the same commit, whoever makes it and when") {
  World world;
  world.write("a-1/f", "1");
  world.tar("a.tar", {"a-1"});
  world.tarball_source("a.tar");
  const auto commit = [&](const std::string& work) {
    const auto trees = make_source_trees(world.image, world.apt, world.path(work), world.commands, silent);
    return world.git(trees.at(0).folder, {"rev-parse", "HEAD"});
  };
  const auto first = commit("one");
  ::setenv("GIT_AUTHOR_NAME", "somebody", 1);
  ::setenv("GIT_DIR", "/nowhere", 1);
  const auto trees = make_source_trees(world.image, world.apt, world.path("two"), world.commands, silent);
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_AUTHOR_NAME");
  CHECK(world.git(trees.at(0).folder, {"rev-parse", "HEAD"}) == first);
}

TEST_CASE("a tarball with another digest is refused with both") {
  World world;
  world.write("a-1/f", "1");
  world.tar("a.tar", {"a-1"});
  world.source(Kind::tarball, world.path("a.tar").string(), std::string(64, 'a'));
  const auto words = world.fault();
  CHECK(words.find("has the SHA-256 " + sha256(read_file(world.path("a.tar")))) != std::string::npos);
  CHECK(words.find("expected is " + std::string(64, 'a')) != std::string::npos);
  CHECK_FALSE(world.unpacked());
}

TEST_CASE("a tarball that would write outside of its folder is refused before anything is unpacked") {
  World world;
  world.write("a-1/f", "1");
  world.write("outside", "o");
  const auto refused = [&](const std::string& member) {
    world.tar("bad.tar", {"a-1/f", member});
    world.tarball_source("bad.tar");
    const auto words = world.fault();
    CHECK_FALSE(world.unpacked());
    return words;
  };
  CHECK(refused("a-1/../outside").find("a-1/../outside has .. in its path") != std::string::npos);
  CHECK(refused(world.path("outside").string()).find("has an absolute path") != std::string::npos);
  fs::create_symlink("../../outside", world.path("a-1/out"));
  CHECK(refused("a-1/out").find("is a link to ../../outside, outside of the archive") != std::string::npos);
  fs::create_symlink("/etc", world.path("a-1/etc"));
  CHECK(refused("a-1/etc").find("is a link to /etc, outside of the archive") != std::string::npos);
}

TEST_CASE("what is no tar is refused") {
  World world;
  world.write("a.tar", "no tar at all");
  world.tarball_source("a.tar");
  const auto words = world.fault();
  INFO(words);
  CHECK(words.find("This does not look like a tar archive") != std::string::npos);
  world.write("empty.tar", "");
  world.tarball_source("empty.tar");
  CHECK(world.fault() != "no fault");
}

TEST_CASE("a tarball with a repository in it is refused") {
  World world;
  world.write("a-1/sub/.git/config", "");
  world.tar("a.tar", {"a-1"});
  world.tarball_source("a.tar");
  CHECK(world.fault().find("the source holds sub/.git, and gets a repository of its own") != std::string::npos);
}

TEST_CASE("a commit of a repository, and not what lies beside it") {
  World world;
  const auto repository = world.path("repository");
  make_folders(repository);
  world.git(repository, {"init", "-q"});
  world.write("repository/f", "first");
  world.git(repository, {"add", "f"});
  world.git(repository, {"commit", "-q", "-m", "one"});
  const auto first = std::string(trim(world.git(repository, {"rev-parse", "HEAD"})));
  world.write("repository/f", "second");
  world.git(repository, {"commit", "-q", "-a", "-m", "two"});
  world.write("repository/untracked", "u");
  world.write("repository/f", "third");

  SECTION("at the commit") {
    world.source(Kind::git, repository.string(), first);
    const auto trees = world.make();
    const auto& tree = trees.at(0).folder;
    CHECK(trees.at(0).origin == "git " + first);
    CHECK(read_file(tree / "f") == "first");
    CHECK_FALSE(fs::exists(tree / "untracked"));
    CHECK(world.git(tree, {"status", "--porcelain"}).empty());
    CHECK(world.git(tree, {"rev-list", "--count", "HEAD"}) == "1\n");
    CHECK(world.git(repository, {"status", "--porcelain"}) == " M f\n?? untracked\n");
  }
  SECTION("an unknown commit") {
    world.source(Kind::git, repository.string(), std::string(40, '1'));
    const auto words = world.fault();
    CHECK(words.find("there is no commit " + std::string(40, '1') + " in " + repository.string()) != std::string::npos);
  }
  SECTION("a folder without a repository") {
    make_folders(world.path("plain"));
    world.source(Kind::git, world.path("plain").string(), first);
    CHECK(world.fault().find("not a git repository") != std::string::npos);
  }
  SECTION("a submodule") {
    world.git(repository, {"update-index", "--add", "--cacheinfo", "160000," + first + ",sub"});
    world.git(repository, {"commit", "-q", "-m", "three"});
    world.source(Kind::git, repository.string(), std::string(trim(world.git(repository, {"rev-parse", "HEAD"}))));
    CHECK(world.fault().find("has a submodule, sub,") != std::string::npos);
  }
}

TEST_CASE("a source package comes from the archives of the packages, by an apt of its own") {
  World world;
  world.have_package("Format: 3.0\nVersion: 1:2.0-1\n");
  world.source(Kind::package, "hello");
  const auto trees = world.make();
  CHECK(trees.at(0).origin == "package hello 1:2.0-1");
  CHECK(world.git(trees[0].folder, {"ls-files"}) == "file\n");
  CHECK(read_file(world.path("work/apt/sources.list")) ==
        "deb-src [signed-by=/k.gpg] http://m.example bookworm main\n");
  const auto& first = world.commands.commands.front();
  const auto option = "Dir::State::Lists=" + world.path("work/apt/lists").string();
  CHECK(std::find(first.arguments.begin(), first.arguments.end(), option) != first.arguments.end());
}

TEST_CASE("a source package that the mirror does not have is named with the two other ways") {
  for (const std::string words : {"E: Unable to find a source package for hello",
                                  "E: Failed to fetch http://m.example/h.tar.gz  404  Not Found [IP: 192.0.2.1 80]"}) {
    World world;
    world.have_apt_say(words);
    world.source(Kind::package, "hello");
    const auto fault = world.fault();
    CHECK(fault.find("the archive does not have the source package hello: " + words) != std::string::npos);
    CHECK(fault.find("tarball = ") != std::string::npos);
    CHECK(fault.find("git = ") != std::string::npos);
  }
  World world;
  world.apt.sources.clear();
  world.source(Kind::package, "hello");
  CHECK(world.fault().find("this host's apt knows no archive with the image's suite") != std::string::npos);
}

TEST_CASE("no network is no fault of the definition") {
  World world;
  world.have_apt_say("E: Failed to fetch http://m.example/h.dsc  Could not resolve 'm.example'");
  world.source(Kind::package, "hello");
  CHECK_THROWS_AS(world.make(), CommandError);
}

TEST_CASE("the programs that sources need are named with their packages") {
  World world;
  world.commands.missing = {"git", "dpkg-source"};
  require_source_programs(world.image, world.commands);
  world.source(Kind::package, "hello");
  const auto words = [&] {
    try {
      require_source_programs(world.image, world.commands);
    } catch (const HostError& error) {
      return std::string(error.what());
    }
    return std::string("none is missing");
  };
  CHECK(words().find("apt-get install git") != std::string::npos);
  world.commands.missing = {"dpkg-source"};
  CHECK(words().find("apt-get install dpkg-dev") != std::string::npos);
  world.source(Kind::git, "/r");
  CHECK_NOTHROW(require_source_programs(world.image, world.commands));
}

TEST_CASE("archives of sources and versions") {
  CHECK(source_archives({"deb [signed-by=/k] http://m.example bookworm main contrib", "deb http://m.example x main"}) ==
        std::vector<std::string>{"deb-src [signed-by=/k] http://m.example bookworm main contrib",
                                 "deb-src http://m.example x main"});
  CHECK(source_version("-----BEGIN\nFormat: 3.0\nVersion:  1.2-3 \nX: y\n") == "1.2-3");
  CHECK(source_version("Format: 3.0\n").empty());
}
