#include "spec/image.hpp"

#include <fstream>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::spec;

TEST_CASE("an image with everything") {
  const auto path = testing::source_folder() / "tests" / "specs" / "good" / "image-full.toml";
  const auto image = load_image(path.string());
  CHECK(image.name == "image-full");
  CHECK(image.suite == "bookworm");
  CHECK(image.packages == std::vector<std::string>{"gcc-12", "libstdc++-12-dev"});
  REQUIRE(image.files.size() == 2);
  CHECK(image.files[0] == ImageFile{"/etc/motd", "hello\n", 0644});
  CHECK(image.files[1] == ImageFile{"/usr/local/bin/thing", "#!/bin/sh\ntrue\n", 0755});
}

TEST_CASE("the three kinds of sources") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "s.toml";
  make_folders(folder.path() / "repository");
  std::ofstream(folder.path() / "a.tar.gz") << "x";
  const std::string digest(64, 'A');
  const std::string commit(40, 'b');
  std::ofstream(path) << "schema = 1\nsuite = \"bookworm\"\n"
                      << "[[sources]]\nto = \"/src/p\"\npackage = \"cpphs\"\n"
                      << "[[sources]]\nto = \"/src/t\"\ntarball = \"a.tar.gz\"\nsha256 = \"" << digest << "\"\n"
                      << "[[sources]]\nto = \"/src/g\"\ngit = \"" << (folder.path() / "repository").string()
                      << "\"\ncommit = \"" << commit << "\"\n";
  const auto sources = load_image(path.string()).sources;
  using Kind = ImageSource::Kind;
  CHECK(sources == std::vector<ImageSource>{
                       {Kind::package, "/src/p", "cpphs", "", {}},
                       {Kind::tarball, "/src/t", (folder.path() / "a.tar.gz").string(), std::string(64, 'a'), {}},
                       {Kind::git, "/src/g", (folder.path() / "repository").string(), commit, {}}});
  CHECK(sources[1].where.line == 6);
}

TEST_CASE("the images that come with swaprig are good") {
  const auto folder = testing::source_folder() / "images";
  const auto names = image_names(folder.string());
  CHECK(names.size() >= 4);
  for (const auto& name : names) {
    INFO(name);
    CHECK_NOTHROW(load_image((folder / (name + ".toml")).string()));
  }
}

TEST_CASE("the names of the images in a folder") {
  const TemporaryFolder folder;
  for (const char* name : {"b.toml", "a.toml", "README.md", "x.sh"}) std::ofstream(folder.path() / name) << "x";
  CHECK(image_names(folder.path().string()) == std::vector<std::string>{"a", "b"});
  CHECK(image_names("/no/such/folder").empty());
  CHECK_THROWS_AS(load_image("/no/such/image.toml"), BadInput);
}
