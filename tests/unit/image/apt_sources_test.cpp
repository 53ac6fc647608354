#include "image/apt_sources.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

constexpr const char* k_targets =
    "Packages|deb|http://mirror.example/debian/|bookworm|bookworm|main|amd64|/etc/apt/sources.list.d/debian.sources:1\n"
    "Translations|deb|http://mirror.example/debian/|bookworm|bookworm|main|amd64|/etc/apt/sources.list.d/"
    "debian.sources:1\n"
    "Packages|deb|http://mirror.example/debian/|bookworm|bookworm|contrib|amd64|/etc/apt/sources.list.d/"
    "debian.sources:1\n"
    "Packages|deb|http://mirror.example/debian/|bookworm|bookworm|main|i386|/etc/apt/sources.list.d/debian.sources:1\n"
    "Packages|deb|http://mirror.example/debian/|bookworm-updates|bookworm-updates|main|amd64|/etc/apt/x.list:2\n"
    "Packages|deb|http://mirror.example/security/|bookworm-security|stable-security|main|amd64|$(SOURCESENTRY)\n"
    "Packages|deb|http://tools.example/|bookworm|bookworm|stable|amd64|/etc/apt/tools.list:1\n"
    "Packages|deb|http://tools.example/|cloud-bookworm|cloud-bookworm|main|amd64|/etc/apt/tools.list:2\n"
    "Sources|deb-src|http://mirror.example/debian/|bookworm|bookworm|main|$(ARCHITECTURE)|/etc/apt/x.list:3\n"
    "broken line\n";

std::string no_key(const std::string&) { return {}; }

}  // namespace

TEST_CASE("only package indexes are taken from apt's list") {
  const auto targets = parse_index_targets(k_targets);
  REQUIRE(targets.size() == 7);
  CHECK(targets[4].release == "stable-security");
  CHECK(targets[4].entry.empty());
}

TEST_CASE("a suite comes with its updates and security, each archive on one line, and nobody else's") {
  const auto lines = source_lines(parse_index_targets(k_targets), "bookworm", [](const std::string& entry) {
    return entry.ends_with("debian.sources:1") ? std::string("/keys/debian.gpg") : std::string();
  });
  CHECK(lines ==
        std::vector<std::string>{"deb [signed-by=/keys/debian.gpg] http://mirror.example/debian/ bookworm main contrib",
                                 "deb http://mirror.example/debian/ bookworm-updates main",
                                 "deb http://mirror.example/security/ stable-security main"});
}

TEST_CASE("a host without the suite leaves the choice of a mirror to mmdebstrap") {
  CHECK(source_lines(parse_index_targets(k_targets), "trixie", no_key).empty());
  SECTION("updates alone are not enough") {
    const auto targets = parse_index_targets(
        "Packages|deb|http://m.example/|trixie-updates|trixie-updates|main|amd64|/etc/apt/x.list:1\n");
    CHECK(source_lines(targets, "trixie", no_key).empty());
  }
}

TEST_CASE("before the host's first update the entry's own release counts") {
  const auto targets =
      parse_index_targets("Packages|deb|http://m.example/|$(CODENAME)|bookworm|main|amd64|/etc/apt/x.list:1\n");
  CHECK(source_lines(targets, "bookworm", no_key) == std::vector<std::string>{"deb http://m.example/ bookworm main"});
}

TEST_CASE("the key of a source is found in both forms of files") {
  const std::string deb822 =
      "# first\nTypes: deb\nURIs: http://a\nSigned-By: /keys/a.gpg\n\n\nTypes: deb\n# note\nsigned-by:/keys/b.gpg\n\n"
      "Types: deb\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n";
  CHECK(signed_by(deb822, true, 1) == "/keys/a.gpg");
  CHECK(signed_by(deb822, true, 2) == "/keys/b.gpg");
  CHECK(signed_by(deb822, true, 3).empty());
  CHECK(signed_by(deb822, true, 4).empty());

  const std::string list =
      "# sources\ndeb [arch=amd64 signed-by=/keys/c.gpg] http://c bookworm main\ndeb http://d x y\n";
  CHECK(signed_by(list, false, 2) == "/keys/c.gpg");
  CHECK(signed_by(list, false, 3).empty());
  CHECK(signed_by(list, false, 0).empty());
  CHECK(signed_by(list, false, 9).empty());
}

TEST_CASE("proxies and what the host says of old archives are passed on") {
  const auto settings = parse_apt_config(
      "APT \"\";\nAcquire::http::Proxy \"http://proxy.example:3128\";\nAcquire::https::Proxy \"DIRECT\";\n"
      "Acquire::http::Proxy::internal.example \"DIRECT\";\nAcquire::Check-Valid-Until \"false\";\n"
      "Acquire::ftp::Proxy \"\";\nDir::Etc \"etc/apt\";\n");
  CHECK(settings.environment ==
        std::map<std::string, std::string>{{"http_proxy", "http://proxy.example:3128"}, {"https_proxy", ""}});
  CHECK(settings.options == std::vector<std::string>{"Acquire::Check-Valid-Until \"false\";"});
}
