#include "image/manifest.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

TEST_CASE("every field of a definition changes its digest, its name and path do not") {
  spec::Image image;
  image.suite = "bookworm";
  image.kernel_package = "linux-image-amd64";
  image.packages = {"a", "b"};
  const auto digest = definition_digest(image, "x86_64");
  CHECK(digest.size() == 64);

  auto other = image;
  other.name = "n";
  other.path = "/p";
  CHECK(definition_digest(other, "x86_64") == digest);
  CHECK(definition_digest(image, "aarch64") != digest);

  const auto changed = [&](auto change) {
    auto copy = image;
    change(copy);
    return definition_digest(copy, "x86_64") != digest;
  };
  CHECK(changed([](auto& i) { i.suite = "trixie"; }));
  CHECK(changed([](auto& i) { i.kernel_package = "linux-image-cloud-amd64"; }));
  CHECK(changed([](auto& i) { i.packages = {"b", "a"}; }));
  CHECK(changed([](auto& i) { i.packages = {"a,b"}; }));
  CHECK(changed([](auto& i) { i.packages = {"a"}, i.modules = {"b"}; }));
  CHECK(changed([](auto& i) { i.setup = {"true"}; }));
  CHECK(changed([](auto& i) { i.files = {{"/a", "x", 0644}}; }));

  image.files = {{"/a", "x", 0644}};
  const auto with_file = definition_digest(image, "x86_64");
  image.files[0].mode = 0600;
  CHECK(definition_digest(image, "x86_64") != with_file);
}

TEST_CASE("what a source holds changes the digest, where it lies on this host does not") {
  using Kind = spec::ImageSource::Kind;
  const auto digest = [](const spec::ImageSource& source) {
    spec::Image image;
    image.sources = {source};
    return definition_digest(image, "x86_64");
  };
  const std::string proof(40, 'a');
  CHECK(definition_digest({}, "x86_64") != digest({Kind::package, "/a", "b", "", {}}));
  CHECK(digest({Kind::package, "/a", "b", "", {}}) != digest({Kind::package, "/a", "c", "", {}}));
  CHECK(digest({Kind::package, "/a", "b", "", {}}) != digest({Kind::package, "/b", "b", "", {}}));
  CHECK(digest({Kind::git, "/a", "/r", proof, {}}) == digest({Kind::git, "/a", "/s", proof, {5, 1}}));
  CHECK(digest({Kind::git, "/a", "/r", proof, {}}) != digest({Kind::git, "/a", "/r", std::string(40, 'b'), {}}));
  CHECK(digest({Kind::git, "/a", "/r", proof, {}}) != digest({Kind::tarball, "/a", "/r", proof, {}}));
}

TEST_CASE("a manifest comes back as it was written") {
  const Manifest manifest{"quick",
                          std::string(64, 'a'),
                          "2026-01-01T00:00:00.000Z",
                          "bookworm",
                          "linux-image-amd64",
                          "6.1.0-57-amd64",
                          mib(90),
                          2600,
                          "bash 5.2\nlibc6:amd64 2.36-9\n",
                          {{"/src/cpphs", "package cpphs 1.20.9.1-2"}}};
  CHECK(manifest_from_json(to_json(manifest)) == manifest);
}

TEST_CASE("a broken manifest is an error") {
  CHECK_THROWS_AS(manifest_from_json(""), Error);
  CHECK_THROWS_AS(manifest_from_json("{\"name\": 1}"), Error);
}
