#include "image/tar_members.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

TarMember file(const std::string& name) { return {'-', name, ""}; }
TarMember folder(const std::string& name) { return {'d', name, ""}; }
TarMember soft_link(const std::string& name, const std::string& target) { return {'l', name, target}; }
TarMember hard_link(const std::string& name, const std::string& target) { return {'h', name, target}; }

}  // namespace

TEST_CASE("members are read as tar shows them, whatever is in their names") {
  const auto members = parse_tar_members(
      "drwxr-xr-x 0/0               0 2026-12-01 04:27 \"a/\"\n"
      "-rw-r--r-- 0/0               1 2026-12-01 04:27 \"a/q\\\"uo\\nte \\\\ \\303\\274\"\n"
      "hrw-r--r-- 0/0               0 2026-12-01 04:27 \"a/h\" link to \"a/b/f\"\n"
      "lrwxrwxrwx 0/0               0 2026-12-01 04:27 \"a/x -> y\" -> \"/etc\"\n");
  CHECK(members == std::vector<TarMember>{folder("a/"), file("a/q\"uo\nte \\ \xc3\xbc"), hard_link("a/h", "a/b/f"),
                                          soft_link("a/x -> y", "/etc")});
  CHECK(parse_tar_members("").empty());
  CHECK_THROWS_AS(parse_tar_members("-rw-r--r-- 0/0 1 2026-12-01 04:27 a\n"), Error);
  CHECK_THROWS_AS(parse_tar_members("-rw-r--r-- 0/0 1 2026-12-01 04:27 \"a\n"), Error);
  CHECK_THROWS_AS(parse_tar_members("-rw-r--r-- 0/0 1 2026-12-01 04:27 \"a\\"), Error);
}

TEST_CASE("the folder that all members lie in") {
  CHECK(top_folder({folder("a/"), file("a/b"), folder("a/c")}) == "a");
  CHECK(top_folder({folder("./"), folder("./a/"), file("./a/b")}) == "a");
  CHECK(top_folder({file("a/b")}) == "a");
  CHECK(top_folder({file("a/b"), file("c")}).empty());
  CHECK(top_folder({file("a")}).empty());
  CHECK(top_folder({}).empty());
}

TEST_CASE("an ordinary archive is fit") {
  CHECK(archive_fault({folder("a/"), file("a/b..c"), file("a/..."), folder("a/d/"), soft_link("a/d/up", "../b..c"),
                       soft_link("a/here", "."), soft_link("a/missing", "d/nothing"), hard_link("a/again", "a/b..c")})
            .empty());
  CHECK(archive_fault({file("a"), file("b"), soft_link("c", "a")}).empty());
  CHECK(archive_fault({file("./a"), file("./b/c"), soft_link("./b/d", "../a")}).empty());
}

TEST_CASE("a link in a circle leads nowhere, and so not out") {
  CHECK(archive_fault({file("a/f"), soft_link("a/x", "y"), soft_link("a/y", "x"), soft_link("a/z", "x/..")}).empty());
}

TEST_CASE("an archive that would write or lead outside of its folder is refused by name") {
  const auto f = file("a/f");
  CHECK(archive_fault({f, file("a/../../x")}) == "its member a/../../x has .. in its path");
  CHECK(archive_fault({f, file("..")}) == "its member .. has .. in its path");
  CHECK(archive_fault({f, file("/etc/passwd")}) == "its member /etc/passwd has an absolute path");
  CHECK(archive_fault({f, soft_link("a/l", "/etc")}) == "its member a/l is a link to /etc, outside of the archive");
  CHECK(archive_fault({f, soft_link("a/l", "../../x")}) ==
        "its member a/l is a link to ../../x, outside of the archive");
  CHECK(archive_fault({f, hard_link("a/h", "/etc/passwd")}) ==
        "its member a/h is a link to /etc/passwd, outside of the archive");
  CHECK(archive_fault({f, hard_link("a/h", "a/../../x")}) ==
        "its member a/h is a link to a/../../x, outside of the archive");
  CHECK(archive_fault({f, hard_link("a/h", "b/x")}) == "its member a/h is a link to b/x, outside of the archive");
}

TEST_CASE("the top folder gets another name in the image, so a link out of it and back is one out of it") {
  CHECK(archive_fault({file("a/f"), soft_link("a/l", "../a/f")}) ==
        "its member a/l is a link to ../a/f, outside of the archive");
  CHECK(archive_fault({file("a/f"), file("b/f"), soft_link("a/l", "../b/f")}).empty());
}

TEST_CASE("links that lead out only together are found") {
  CHECK_FALSE(archive_fault({file("a/s/t/f"), soft_link("a/up", "s/t/../.."), soft_link("a/out", "up/../x")}).empty());
  CHECK_FALSE(archive_fault({file("a/s/f"), soft_link("a/s/top", ".."), soft_link("a/out", "s/top/..")}).empty());
  CHECK_FALSE(archive_fault({file("a/s/f"), soft_link("a/abs", "/"), soft_link("a/out", "abs/etc")}).empty());
}

TEST_CASE("nothing may lie below a link") {
  CHECK(archive_fault({file("a/f"), soft_link("a/l", "."), file("a/l/x")}) == "its member a/l/x lies below the link l");
  CHECK(archive_fault({file("a/f"), file("a/l/m/x"), soft_link("a/l", ".")}) ==
        "its member a/l/m/x lies below the link l");
}

TEST_CASE("devices and an archive with nothing in it are refused") {
  CHECK(archive_fault({file("a/f"), {'c', "a/d", ""}}) == "its member a/d is neither a file nor a folder nor a link");
  CHECK(archive_fault({file("a/f"), {'p', "a/p", ""}}) == "its member a/p is neither a file nor a folder nor a link");
  CHECK(archive_fault({}) == "it holds nothing");
  CHECK(archive_fault({folder("./"), folder("./a/")}) == "it holds nothing");
}
