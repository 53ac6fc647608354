#include "host/embedded_driver.hpp"

#include <cstdlib>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/words.hpp"

using namespace swaprig;
using namespace swaprig::host;
using testing::mentions;

namespace {

/// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(std::string name, const char* value) : m_name(std::move(name)) {
    if (const char* before = std::getenv(m_name.c_str()); before != nullptr) m_before = before;
    ::setenv(m_name.c_str(), value, 1);
  }
  ~Variable() {
    if (m_before) {
      ::setenv(m_name.c_str(), m_before->c_str(), 1);
    } else {
      ::unsetenv(m_name.c_str());
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string m_name;
  std::optional<std::string> m_before;
};

std::string complaint() {
  try {
    require_embedded_driver();
  } catch (const HostError& error) {
    CHECK(error.code() == ExitCode::host_not_fit);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("without QEMU the package is named") {
  const Variable path("PATH", "/nonexistent");
  CHECK(mentions(complaint(), "apt-get install qemu-system-x86"));
}

TEST_CASE("without libvirt's driver module the package is named") {
  const TemporaryFolder programs;
  std::filesystem::create_symlink("/bin/true", programs.path() / k_qemu_program);
  const Variable path("PATH", programs.path().c_str());
  const Variable modules("LIBVIRT_DRIVER_DIR", "/nonexistent");
  CHECK(mentions(complaint(), "apt-get install libvirt-daemon-driver-qemu"));
}

TEST_CASE("an embedded root gets its configuration, and shares the capabilities cache") {
  const TemporaryFolder folder;
  const Folders folders{folder.path() / "state", folder.path() / "cache"};
  const auto root = folder.path() / "root";
  prepare_embedded_root(root, folders);
  CHECK(mentions(read_file(root / "etc" / "qemu.conf"), "stdio_handler = \"file\""));
  CHECK(std::filesystem::equivalent(root / "cache", folders.cache / "libvirt"));
  CHECK(embedded_uri(root) == "qemu:///embed?root=" + root.string());
}

TEST_CASE("only root says which user QEMU runs as") {
  CHECK(mentions(embedded_configuration(true), "user = \"root\""));
  CHECK_FALSE(mentions(embedded_configuration(false), "user ="));
}
