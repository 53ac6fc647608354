// The drive holds what swaprig did not write. Each is refused on a drive that was never claimed and, where both can be
// there, on one that is.
#include <fcntl.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drives/loop_device.hpp"

namespace swaprig::testing {

namespace {

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string text_of(const char* bytes, std::size_t length) { return {bytes, length}; }

void refused(const LoopDrive& drive, const std::string& name, const std::string& type) {
  check_refused(drive, drive.wanted(), {name, "not-claimed"}, "holds " + type);
  // What is overridden is the signature, never the missing label.
  if (name != "backing-image") check_refused(drive, drive.wanted(), {"not-claimed"}, "is not claimed", {name});
}

/// Linux RAID with its superblock of version 1.2, at 4 KiB.
std::string md_superblock() {
  std::string block(4096, '\0');
  block.replace(0, 4, little_endian(0xa92b4efc, 4));
  block.replace(4, 4, little_endian(1, 4));
  block.replace(16, 16, "0123456789abcdef");
  block.replace(144, 8, little_endian(8, 8));
  return block;
}

void add_btrfs(const LoopDrive& drive) { drive.write(65536 + 64, "_BHRfS_M"); }

}  // namespace

TEST_CASE("file systems and swap areas") {
  LoopDrive drive;
  SECTION("ext4") {
    run("mke2fs", {"-q", "-F", "-t", "ext4", "-L", "photos", drive.path()});
    check_refused(drive, drive.wanted(), {"foreign-signature", "not-claimed"}, "holds ext4 \"photos\"");
  }
  SECTION("ext4 without a journal") {
    run("mke2fs", {"-q", "-F", "-t", "ext2", drive.path()});
    refused(drive, "foreign-signature", "ext2");
  }
  SECTION("swap") {
    run("mkswap", {drive.path()});
    refused(drive, "foreign-signature", "swap");
  }
  SECTION("btrfs") {
    add_btrfs(drive);
    refused(drive, "foreign-signature", "btrfs");
  }
  SECTION("ISO 9660") {
    drive.write(32768, text_of("\1CD001\1", 7));
    refused(drive, "foreign-signature", "iso9660");
  }
  SECTION("squashfs") {
    drive.write(0, "hsqs" + std::string(24, '\0') + little_endian(4, 2) + little_endian(0, 2));
    refused(drive, "foreign-signature", "squashfs");
  }
}

TEST_CASE("tables of partitions") {
  LoopDrive drive(gib(2 * 1024));
  SECTION("MBR") {
    run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()}, "label: dos\nsize=1GiB\n");
    refused(drive, "foreign-signature", "dos");
  }
  SECTION("GPT") {
    run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()}, "label: gpt\nsize=1GiB\n");
    refused(drive, "foreign-signature", "gpt");
  }
  SECTION("GPT of which only the copy at the end is left") {
    run("sfdisk", {"--quiet", "--no-reread", "--no-tell-kernel", drive.path()}, "label: gpt\nsize=1GiB\n");
    drive.write(0, std::string(std::size_t{1} << 20U, '\0'));
    refused(drive, "foreign-signature", "gpt");
  }
}

TEST_CASE("members of something larger") {
  LoopDrive drive;
  SECTION("LVM") {
    if (have("pvcreate")) {
      run("pvcreate", {"--force", "--yes", drive.path()});
    } else {
      WARN("no pvcreate: the label is written by hand");
      drive.write(512, "LABELONE" + little_endian(1, 8) + little_endian(0, 4) + little_endian(32, 4) + "LVM2 001");
    }
    refused(drive, "lvm-member", "LVM2_member");
  }
  SECTION("LUKS 1") {
    drive.write(0, text_of("LUKS\xba\xbe\0\1", 8));
    refused(drive, "luks", "crypto_LUKS");
  }
  SECTION("LUKS 2") {
    if (have("cryptsetup")) {
      run("cryptsetup",
          {"luksFormat", "--type", "luks2", "--batch-mode", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000",
           drive.path(), "-"},
          "secret");
    } else {
      WARN("no cryptsetup: the header is written by hand");
      drive.write(0, text_of("LUKS\xba\xbe\0\2", 8));
    }
    refused(drive, "luks", "crypto_LUKS");
  }
  SECTION("md 1.2") {
    drive.write(4096, md_superblock());
    refused(drive, "raid-member", "linux_raid_member");
  }
  SECTION("md 0.90, at the end") {
    const auto size = drive.facts().size.count;
    drive.write(size / 65536 * 65536 - 65536,
                little_endian(0xa92b4efc, 4) + little_endian(0, 4) + little_endian(90, 4));
    refused(drive, "raid-member", "linux_raid_member");
  }
  SECTION("Intel's firmware RAID, at the end") {
    drive.write(drive.facts().size.count - 1024, "Intel Raid ISM Cfg Sig. 1.1.00" + std::string(2, '\0'));
    refused(drive, "raid-member", "isw_raid_member");
  }
  SECTION("ZFS") {
    for (std::uint64_t i = 0; i < 16; ++i) drive.write(131072 + i * 1024, little_endian(0x00bab10c, 8));
    refused(drive, "zfs-member", "zfs_member");
  }
}

TEST_CASE("a loop device over the file of a virtual machine that is no raw one") {
  LoopDrive drive;
  drive.claim();
  const auto [magic, type] = GENERATE(table<std::string, std::string>(
      {{std::string("QFI\xfb\0\0\0\3", 8), "qcow2"}, {"KDMV", "vmdk"}, {"vhdxfile", "vhdx"}}));
  drive.write(0, magic);
  check_refused(drive, drive.wanted(), {"backing-image"}, "holds " + type);
  const auto taken = take(drive.wanted(), drive.locks(), {"backing-image"});
  CHECK(taken->state()->image_format == type);
}

TEST_CASE("something else beside our label") {
  LoopDrive drive;
  drive.claim();
  add_btrfs(drive);
  check_refused(drive, drive.wanted(), {"foreign-signature"}, "holds btrfs");
  CHECK(take(drive.wanted(), drive.locks(), {"foreign-signature"}) != nullptr);
}

TEST_CASE("the label of another drive, copied") {
  LoopDrive claimed(gib(2 * 1024));
  LoopDrive copy(gib(2 * 1024));
  claimed.claim();
  const auto fd = open_file(claimed.path(), O_RDONLY, "cannot open");
  std::string bytes(std::size_t{1} << 20U, '\0');
  const auto last = claimed.facts().size.count - bytes.size();
  for (const auto offset : {std::uint64_t{0}, last}) {
    REQUIRE(::pread(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)) ==
            static_cast<ssize_t>(bytes.size()));
    copy.write(offset, bytes);
  }
  check_refused(copy, copy.wanted(), {"foreign-signature", "not-claimed"}, "is not claimed");
  CHECK(take(claimed.wanted(), claimed.locks()) != nullptr);
}

}  // namespace swaprig::testing
