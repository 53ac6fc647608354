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

TEST_CASE("the names of the images in a folder") {
  const TemporaryFolder folder;
  for (const char* name : {"b.toml", "a.toml", "README.md", "x.sh"}) std::ofstream(folder.path() / name) << "x";
  CHECK(image_names(folder.path().string()) == std::vector<std::string>{"a", "b"});
  CHECK(image_names("/no/such/folder").empty());
  CHECK_THROWS_AS(load_image("/no/such/image.toml"), BadInput);
}
