#include "drive/block_device.hpp"

#include <map>

#include "drive/device_uses.hpp"
#include "drive/drive_health.hpp"
#include "drive/queue_settings.hpp"
#include "support/catch.hpp"

namespace swaprig::drive {

TEST_CASE("mounts are read with their escapes undone") {
  const std::string text =
      "36 35 8:1 / /home\\040of\\134us rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw\n"
      "40 35 0:33 /@ / rw - btrfs /dev/nvme0n1p2 rw,subvol=/@\n"
      "not a line\n";
  const auto mounts = parse_mountinfo(text);
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0] == MountLine{{8, 1}, "/dev/sda1", "/home of\\us"});
  CHECK(mounts[1] == MountLine{{0, 33}, "/dev/nvme0n1p2", "/"});
}

TEST_CASE("swaps are read without their header") {
  CHECK(parse_swaps("Filename\t\t\tType\n/dev/sda2                               partition\t8388604\t0\t-2\n"
                    "/swap\\040file file 1 0 -3\n") == std::vector<std::string>{"/dev/sda2", "/swap file"});
  CHECK(parse_swaps("Filename\n").empty());
}

TEST_CASE("a domain is told by QEMU's command line") {
  const auto line = [](std::vector<std::string> words) {
    std::string text;
    for (const auto& word : words) text += word + '\0';
    return text;
  };
  CHECK(domain_of(line({"/usr/bin/qemu-system-x86_64", "-name", "guest=web,debug-threads=on"})) == "web");
  CHECK(domain_of(line({"qemu-kvm", "-name", "old"})) == "old");
  CHECK(domain_of(line({"dd", "-name", "guest=web"})).empty());
  CHECK(domain_of("").empty());
}

TEST_CASE("the serial of a loop device says which part of which file it is") {
  CHECK(loop_serial("2049:12:0:0") == loop_serial("2049:12:0:0"));
  CHECK(loop_serial("2049:12:0:0") != loop_serial("2049:12:4096:0"));
  CHECK(loop_serial("2049:12:0:0").starts_with("loop:"));
}

TEST_CASE("health is read from smartctl's answer") {
  const auto good = parse_health(
      R"({"temperature":{"current":34},"smart_status":{"passed":true},"rotation_rate":5400,"smartctl":{"messages":[]}})");
  CHECK(good == DriveHealth{34, true, 5400, ""});
  CHECK(parse_health(R"({"smartctl":{"messages":[{"string":"Device is in STANDBY mode"}]}})").note ==
        "Device is in STANDBY mode");
  CHECK(parse_health("no JSON").note == "smartctl gave no answer");
  CHECK(parse_health("{}").note == "the drive has no SMART");
}

TEST_CASE("the scheduler in brackets is the chosen one") {
  CHECK(chosen_scheduler("none [mq-deadline] kyber") == "mq-deadline");
  CHECK(chosen_scheduler("[none]") == "none");
  CHECK(chosen_scheduler("none") == "none");
}

TEST_CASE("a path that is no device says so") {
  CHECK_FALSE(look_up("/no/such/device").exists);
  const auto file = look_up("/proc/self/exe");
  CHECK(file.exists);
  CHECK(file.link);
  CHECK_FALSE(file.block_device);
}

}  // namespace swaprig::drive
