#include "image/root_tar.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

spec::Image definition() {
  spec::Image image;
  image.name = "x";
  image.suite = "bookworm";
  image.packages = {"ghc", "kmod"};
  image.kernel_package = "linux-image-amd64";
  image.setup = {"rm -rf \"$HOME\"; echo '`id`'"};
  return image;
}

bool has(const Command& command, const std::string& argument) {
  return std::find(command.arguments.begin(), command.arguments.end(), argument) != command.arguments.end();
}

}  // namespace

TEST_CASE("mmdebstrap gets the packages once each, the sources last, and the mode that we can have") {
  HostApt apt;
  apt.sources = {"deb http://m.example bookworm main"};
  apt.settings.environment = {{"http_proxy", "http://p.example"}};
  apt.settings.options = {"Acquire::Check-Valid-Until \"false\";"};
  const auto command = mmdebstrap_command(definition(), {"/cache/b"}, apt, true);
  CHECK(command.program == "mmdebstrap");
  CHECK(has(command, "--mode=root"));
  CHECK(has(command, "--include=qemu-guest-agent,kmod,e2fsprogs,util-linux,mount,ghc"));
  CHECK(has(command, "--aptopt=Acquire::Check-Valid-Until \"false\";"));
  CHECK(command.environment == apt.settings.environment);
  REQUIRE(command.arguments.size() > 3);
  const std::vector<std::string> end(command.arguments.end() - 3, command.arguments.end());
  CHECK(end == std::vector<std::string>{"bookworm", "/cache/b/rootfs.tar", "deb http://m.example bookworm main"});

  const auto as_user = mmdebstrap_command(definition(), {"/cache/b"}, {}, false);
  CHECK(has(as_user, "--mode=unshare"));
  CHECK(as_user.arguments.back() == "/cache/b/rootfs.tar");
}

TEST_CASE("nothing of a definition's text becomes part of a shell line") {
  for (const auto& argument : mmdebstrap_command(definition(), {"/cache/b"}, {}, true).arguments) {
    CHECK(argument.find("HOME") == std::string::npos);
    CHECK(argument.find("linux-image") == std::string::npos);
  }
}

TEST_CASE("a folder with a quote in its name stays one word of a hook") {
  const auto command = mmdebstrap_command(definition(), {"/a b/\"c\""}, {}, true);
  CHECK(has(command, "--customize-hook=tar-in \"/a b/\\\"c\\\"/input.tar\" /"));
}

TEST_CASE("the size of a tar's files is counted in blocks, hard links once") {
  const auto content = parse_tar_list(
      "drwxr-xr-x 0/0               0 2026-01-01 00:00 ./\n"
      "-rw-r--r-- 0/0               1 2026-01-01 00:00 ./a\n"
      "-rw-r--r-- 0/0            4097 2026-01-01 00:00 ./name with  spaces\n"
      "-rw-r--r-- 0/0               0 2026-01-01 00:00 ./empty\n"
      "hrw-r--r-- 0/0               0 2026-01-01 00:00 ./b link to ./a\n"
      "lrwxrwxrwx 0/0               0 2026-01-01 00:00 ./c -> a\n"
      "crw--w---- 0/5             5,1 2026-01-01 00:00 ./dev/console\n"
      "\n");
  CHECK(content.data == kib(4 + 4 + 8));
  CHECK(content.inodes == 6);
}
