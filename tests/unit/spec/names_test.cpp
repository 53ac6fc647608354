#include "spec/names.hpp"

#include "support/catch.hpp"

using namespace swaprig::spec;

TEST_CASE("names of packages as Debian's policy has them") {
  for (const char* name : {"gcc-12", "libstdc++-12-dev", "0ad", "linux-image-amd64", "g++", "x."}) {
    INFO(name);
    CHECK(is_package_name(name));
  }
  for (const char* name : {"", "x", "Gcc", "-gcc", "+x", "a b", "a_b", "a/b", "a=1", "a;b", "\xC3\xA4x"}) {
    INFO(name);
    CHECK_FALSE(is_package_name(name));
  }
}

TEST_CASE("names of sysctls, users and variables") {
  CHECK(is_sysctl_name("vm.swappiness"));
  CHECK(is_sysctl_name("net.ipv4.conf.all.rp_filter"));
  CHECK(is_sysctl_name("vm.page-cluster"));
  for (const char* name : {"", "vm", ".vm", "vm.", "vm..x", "vm.a b", "vm/../x.y", "vm.x\n"}) {
    INFO(name);
    CHECK_FALSE(is_sysctl_name(name));
  }
  CHECK(is_user_name("root"));
  CHECK(is_user_name("_apt"));
  for (const char* name : {"", "1x", "-x", "a b", "a:b", "a\n"}) CHECK_FALSE(is_user_name(name));
  CHECK(is_variable_name("CFLAGS"));
  CHECK(is_variable_name("_x1"));
  for (const char* name : {"", "1A", "A=B", "A-B", "A\n"}) CHECK_FALSE(is_variable_name(name));
}

TEST_CASE("paths in the guest") {
  for (const char* path : {"/swapfile", "/a/b c", "/Größe", "/..a", "/a.", "/-x"}) {
    INFO(path);
    CHECK(path_fault(path).empty());
  }
  for (const char* path : {"", "a", "/", "/..", "/a/..", "/a/../b", "/./a", "//a", "/a//b", "/a/", "/a\nb", "/a\x7F"}) {
    INFO(path);
    CHECK_FALSE(path_fault(path).empty());
  }
  CHECK(folder_fault("/").empty());
}

TEST_CASE("names that people give") {
  for (const char* name : {"RAM only", "a \"quote\", <b> & 'c'", "Größe", "two\nlines", "\ttab"}) {
    INFO(name);
    CHECK(name_fault(name).empty());
  }
  CHECK_FALSE(name_fault("").empty());
  CHECK_FALSE(name_fault(" \n").empty());
  CHECK_FALSE(name_fault("\x1B[2J").empty());
  CHECK_FALSE(name_fault("a\rb").empty());
  CHECK_FALSE(name_fault("a\xC2\x9B").empty());
  CHECK_FALSE(name_fault(std::string(201, 'x')).empty());
}
