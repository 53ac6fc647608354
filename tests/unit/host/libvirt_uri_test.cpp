#include "host/libvirt_uri.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/words.hpp"

using namespace swaprig;
using namespace swaprig::host;
using testing::mentions;

namespace {

std::string refusal(const std::string& uri) {
  try {
    require_local_uri(uri);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("local URIs are taken") {
  for (const char* uri : {"qemu:///system", "qemu:///session", "qemu+unix:///system", "test:///default"}) {
    INFO(uri);
    CHECK(refusal(uri).empty());
  }
  CHECK(driver_of("qemu+unix:///system") == "qemu");
  CHECK(driver_of("test:///default") == "test");
}

TEST_CASE("remote URIs are refused, and the message says where to run instead") {
  for (const char* uri : {"qemu://elsewhere/system", "qemu+ssh://root@elsewhere/system", "qemu+tcp://127.0.0.1/system",
                          "qemu+ssh:///system", "qemu+tls://elsewhere", "qemu+libssh2://[::1]:22/system"}) {
    INFO(uri);
    CHECK(mentions(refusal(uri), "run swaprig on that host"));
  }
}

TEST_CASE("other drivers and forms are refused") {
  CHECK(mentions(refusal("xen:///system"), "QEMU driver"));
  CHECK(mentions(refusal("system"), "not a libvirt URI"));
  CHECK(mentions(refusal("qemu:///system?socket=/tmp/forwarded"), "parameters"));
  CHECK(mentions(refusal("qemu:///embed?root=/tmp/x"), "parameters"));
  CHECK(mentions(refusal("qemu:///embed"), "leaving --connect out"));
  CHECK_FALSE(mentions(refusal("xen\x1b:///x"), "\x1b"));
}
