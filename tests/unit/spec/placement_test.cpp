#include "spec/placement.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::spec;

namespace {

const PartitionRef k_root{"hdd", "root"};
const PartitionRef k_other{"hdd", "other"};
const PartitionRef k_swap{"hdd", "swap"};

GuestPaths guest_paths() {
  return {{{k_root, "/dev/vda2"}, {k_other, "/dev/vda3"}, {k_swap, "/dev/vda1"}},
          {{k_root, "/"}, {k_other, "/run/swaprig/fs/1"}}};
}

std::vector<std::vector<std::string>> commands(const SwapArea& area) {
  std::vector<std::vector<std::string>> result;
  for (const auto& step : placement_kind(area.kind).place(area, guest_paths())) result.push_back(step.command);
  return result;
}

using Commands = std::vector<std::vector<std::string>>;

}  // namespace

TEST_CASE("the kinds of placements") {
  std::vector<std::string> names;
  for (const auto* kind : placement_kinds()) names.push_back(kind->name());
  CHECK(names == std::vector<std::string>{"partition", "dd", "fallocate"});
}

TEST_CASE("a partition is given its header and switched on") {
  SwapArea area{"partition", k_swap, "", mib(512), {}, {}};
  CHECK(commands(area) == Commands{{"mkswap", "/dev/vda1"}, {"swapon", "/dev/vda1"}});
  CHECK(placement_kind("partition").expected(area, guest_paths()) ==
        ExpectedSwap{"/dev/vda1", "partition", mib(512) - kib(4), {}});
  area.priority = 7;
  CHECK(commands(area) == Commands{{"mkswap", "/dev/vda1"}, {"swapon", "-p", "7", "/dev/vda1"}});
  CHECK(placement_kind("partition").expected(area, guest_paths()).priority == 7);
}

TEST_CASE("a file by dd") {
  const SwapArea area{"dd", k_root, "/swapfile", mib(64), kib(512), 0};
  CHECK(commands(area) ==
        Commands{{"dd", "if=/dev/zero", "of=/swapfile", "bs=524288", "count=128", "conv=fsync", "status=none"},
                 {"chmod", "0600", "/swapfile"},
                 {"mkswap", "/swapfile"},
                 {"swapon", "-p", "0", "/swapfile"}});
  CHECK(placement_kind("dd").expected(area, guest_paths()) == ExpectedSwap{"/swapfile", "file", mib(64) - kib(4), 0});
}

TEST_CASE("a file by fallocate, in a folder of another file system") {
  const SwapArea area{"fallocate", k_other, "/deep/er/swap file", mib(64), {}, {}};
  const std::string path = "/run/swaprig/fs/1/deep/er/swap file";
  CHECK(commands(area) == Commands{{"mkdir", "-p", "/run/swaprig/fs/1/deep/er"},
                                   {"fallocate", "-l", "67108864", path},
                                   {"chmod", "0600", path},
                                   {"mkswap", path},
                                   {"swapon", path}});
  CHECK(placement_kind("fallocate").expected(area, guest_paths()).path == path);
}

TEST_CASE("case 10: a file on btrfs is told not to be copied on write while it is empty") {
  SwapArea area{"dd", k_other, "/swapfile", mib(64), mib(1), {}, "", PartitionType::btrfs};
  const std::string path = "/run/swaprig/fs/1/swapfile";
  const auto steps = placement_kind("dd").place(area, guest_paths());
  CHECK(steps.at(0).command == std::vector<std::string>{"touch", path});
  CHECK(steps.at(1).command == std::vector<std::string>{"chattr", "+C", path});
  CHECK(steps.at(1).unsupported_if ==
        std::vector<std::string>{"Operation not supported while setting flags on " + path});
  CHECK(steps.at(2).command.front() == "dd");
  area.beside = "/swapfile-1";
  const auto two = placement_kind("dd").place(area, guest_paths());
  CHECK(two.at(1).command == std::vector<std::string>{"chattr", "+C", "/run/swaprig/fs/1/swapfile-1"});
  CHECK(two.at(4).command == std::vector<std::string>{"chattr", "+C", path});
  area.beside.clear();
  area.file_system = PartitionType::xfs;
  CHECK(commands(area).front().front() == "dd");
}

TEST_CASE("case 9: what tools say of file systems that cannot do it makes a run unsupported") {
  const SwapArea area{"fallocate", k_root, "/swapfile", mib(64), {}, {}};
  const auto steps = placement_kind("fallocate").place(area, guest_paths());
  // Words of util-linux 2.38: fallocate(1) on ramfs, swapon(8) on a file with holes, on tmpfs.
  CHECK(steps.front().unsupported_if == std::vector<std::string>{"fallocate failed: Operation not supported"});
  CHECK(steps.back().unsupported_if ==
        std::vector<std::string>{"skipping - it appears to have holes.", "swapon failed: Invalid argument"});
  const SwapArea partition{"partition", k_swap, "", mib(64), {}, {}};
  for (const auto& step : placement_kind("partition").place(partition, guest_paths())) CHECK(step.unsupported_if.empty());
}
