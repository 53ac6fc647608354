// Somebody uses the drive.
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace {

/// Unmounted by the destructor.
class Mount {
 public:
  Mount(const std::string& device, const std::filesystem::path& target) : m_target(target) {
    std::filesystem::create_directories(target);
    REQUIRE(::mount(device.c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") == 0);
  }
  ~Mount() { ::umount(m_target.c_str()); }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

 private:
  std::filesystem::path m_target;
};

class Swap {
 public:
  explicit Swap(std::string device) : m_device(std::move(device)) { REQUIRE(::swapon(m_device.c_str(), 0) == 0); }
  ~Swap() { ::swapoff(m_device.c_str()); }
  Swap(const Swap&) = delete;
  Swap& operator=(const Swap&) = delete;

 private:
  std::string m_device;
};

bool mount_apart(const std::string& device, const std::filesystem::path& target) {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount(device.c_str(), target.c_str(), "ext4", MS_RDONLY, "noload") == 0;
}

void make_ext4(const std::string& device) { run("mke2fs", {"-q", "-F", "-t", "ext4", device}); }

const std::set<std::string> k_ext4{"foreign-signature", "not-claimed"};

std::set<std::string> with(std::set<std::string> names, const std::string& name) {
  names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("a mounted drive") {
  LoopDrive drive;
  make_ext4(drive.path());
  const Mount mount(drive.path(), drive.folder() / "mnt");
  check_refused(drive, drive.wanted(), with(k_ext4, "mounted"), "is mounted on " + (drive.folder() / "mnt").string());
}

TEST_CASE("a drive with a mounted partition") {
  LoopDrive drive;
  drive.claim();
  const auto part = drive.add_partition(1, mib(1), mib(32));
  CHECK(part == drive.path() + "p1");
  make_ext4(part);
  const Mount mount(part, drive.folder() / "mnt");
  check_refused(drive, drive.wanted(), {"mounted"}, "its partition " + drive.name() + "p1 is mounted on");
}

TEST_CASE("mounted in another mount namespace alone") {
  LoopDrive drive;
  make_ext4(drive.path());
  const auto target = drive.folder() / "apart";
  std::filesystem::create_directories(target);
  const Child child([&] { return mount_apart(drive.path(), target); });
  check_refused(drive, drive.wanted(), with(k_ext4, "mounted"),
                "in the mount namespace of process " + std::to_string(child.pid()));
}

TEST_CASE("a partition mounted in another mount namespace alone") {
  LoopDrive drive;
  drive.claim();
  const auto part = drive.add_partition(7, mib(1), mib(32));
  make_ext4(part);
  const auto target = drive.folder() / "apart";
  std::filesystem::create_directories(target);
  const Child child([&] { return mount_apart(part, target); });
  check_refused(drive, drive.wanted(), {"mounted"}, "its partition " + drive.name() + "p7 is mounted on");
}

TEST_CASE("the root file system of another mount namespace") {
  LoopDrive drive;
  make_ext4(drive.path());
  const auto target = drive.folder() / "root";
  std::filesystem::create_directories(target);
  const Child child([&] {
    return mount_apart(drive.path(), target) && ::chdir(target.c_str()) == 0 &&
           ::syscall(SYS_pivot_root, ".", "lost+found") == 0;
  });
  check_refused(drive, drive.wanted(), with(with(k_ext4, "mounted"), "root-drive"), "the root file system");
}

TEST_CASE("active swap, on the drive or a partition of it") {
  LoopDrive drive;
  SECTION("the drive") {
    run("mkswap", {drive.path()});
    const Swap swap(drive.path());
    check_refused(drive, drive.wanted(), with(k_ext4, "active-swap"), "is swap of this host, as " + drive.path());
  }
  SECTION("a partition") {
    drive.claim();
    const auto part = drive.add_partition(2, mib(1), mib(32));
    run("mkswap", {part});
    const Swap swap(part);
    check_refused(drive, drive.wanted(), {"active-swap"}, "its partition " + drive.name() + "p2 is swap of this host");
  }
}

TEST_CASE("a loop device over the drive, or over a partition of it") {
  LoopDrive drive;
  drive.claim();
  SECTION("the drive") {
    const LoopDevice above(drive.path());
    check_refused(drive, drive.wanted(), {"holder"}, "lies below the loop device " + above.name());
  }
  SECTION("a partition") {
    const LoopDevice above(drive.add_partition(1, mib(1), mib(32)));
    check_refused(drive, drive.wanted(), {"holder"}, "its partition " + drive.name() + "p1 lies below");
  }
}

TEST_CASE("a process has the drive, a partition or the file behind it open") {
  LoopDrive drive;
  drive.claim();
  std::string path;
  SECTION("the drive") { path = drive.path(); }
  SECTION("a partition") { path = drive.add_partition(1, mib(1), mib(32)); }
  SECTION("the file") { path = drive.file().string(); }
  SECTION("another node of the drive") {
    path = (drive.folder() / "node").string();
    const auto number = drive::look_up(drive.path()).number;
    run("mknod", {path, "b", std::to_string(number.major), std::to_string(number.minor)});
  }
  const Child child([&] { return ::open(path.c_str(), O_RDONLY) >= 0; });
  check_refused(drive, drive.wanted(), {"used-by-process"}, "process " + std::to_string(child.pid()) + " (");
}

TEST_CASE("a domain of libvirt has the drive or its file open") {
  LoopDrive drive;
  drive.claim();
  std::string path;
  SECTION("the drive") { path = drive.path(); }
  SECTION("the file") { path = drive.file().string(); }
  // A shell under QEMU's name that opens it and waits for what never comes.
  const auto fifo = (drive.folder() / "fifo").string();
  const auto ready = drive.folder() / "ready";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const auto script = "exec 3<" + path + "; : >" + ready.string() + "; read -t 300 <>" + fifo;
  const Child child({"/bin/bash", "/usr/bin/qemu-system-x86_64", "-c", script, "-name", "guest=web,debug-threads=on"});
  for (int i = 0; i < 500 && !std::filesystem::exists(ready); ++i) ::usleep(10'000);
  check_refused(drive, drive.wanted(), {"used-by-domain"},
                "the domain web (process " + std::to_string(child.pid()) + ")");
}

TEST_CASE("something holds the drive for itself") {
  LoopDrive drive;
  drive.claim();
  const Child child([&] { return ::open(drive.path().c_str(), O_RDONLY | O_EXCL) >= 0; });
  check_refused(drive, drive.wanted(), {"used-by-process"}, "process " + std::to_string(child.pid()));
  check_refused(drive, drive.wanted(), {"held-exclusively"}, "holds the device for itself", {"used-by-process"});
}

TEST_CASE("another swaprig has the drive") {
  LoopDrive drive;
  drive.claim();
  const auto wanted = drive.wanted();
  SECTION("with the same state folder") {
    const auto first = take(wanted, drive.locks());
    check_refused(drive, wanted, {"locked-by-other-swaprig"},
                  "process " + std::to_string(::getpid()) + " drive " + drive.name());
  }
  SECTION("with another one") {
    const auto first = take(wanted, drive.folder() / "other-locks");
    check_refused(drive, wanted, {"locked-by-other-swaprig"}, "in use by process");
  }
  SECTION("and was killed: nothing is left of it") {
    Child child([&] { return take(wanted, drive.locks()).release() != nullptr; });
    check_refused(drive, wanted, {"locked-by-other-swaprig", "used-by-process"},
                  "process " + std::to_string(child.pid()) + " drive " + drive.name());
    child.end();
    CHECK(take(wanted, drive.locks()) != nullptr);
  }
}

}  // namespace swaprig::testing
