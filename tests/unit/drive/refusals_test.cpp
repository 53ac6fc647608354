#include "drive/refusals.hpp"

#include <functional>

#include "base/text.hpp"
#include "drive/drive_label.hpp"
#include "support/catch.hpp"

namespace swaprig::drive {
namespace {

constexpr unsigned k_us = 1000;

BlockDevice disk(const std::string& name, unsigned minor) {
  BlockDevice device;
  device.name = name;
  device.path = "/dev/" + name;
  device.number = {8, minor};
  device.type = "disk";
  device.size = Bytes{2'000'398'934'016};
  device.serial = "WD-" + name;
  device.wwn = "0x50014ee" + name;
  device.zoned = "none";
  device.links = {"/dev/disk/by-id/ata-" + name};
  return device;
}

void add_label(BlockDevice& device) {
  device.signatures = {{"gpt", "table", label_guid(device), "", Bytes{512}},
                       {"gpt", "table", label_guid(device), "", Bytes{device.size.count - 512}},
                       {"PMBR", "table", "", "", Bytes{510}}};
}

BlockDevice part_of(const BlockDevice& drive, int number) {
  BlockDevice part = drive;
  part.name = drive.name + std::to_string(number);
  part.path = "/dev/" + part.name;
  part.number.minor += static_cast<unsigned>(number);
  part.type = "part";
  part.drive = drive.name;
  part.partition = number;
  part.start = mib(1) + gib(10) * static_cast<unsigned>(number - 1);
  part.size = gib(10);
  part.serial.clear();
  part.partuuid = "0f1e2d3c-0000-4000-8000-00000000000" + std::to_string(number);
  part.links = {"/dev/disk/by-partuuid/" + part.partuuid};
  part.signatures.clear();
  return part;
}

std::vector<std::string> names(const std::vector<Refusal>& refusals) {
  std::vector<std::string> found;
  for (const auto& refusal : refusals) found.push_back(refusal.name);
  return found;
}

using Names = std::vector<std::string>;

/// A claimed drive and what the file says of it, changed by the test.
struct Claimed {
  BlockDevices devices{{disk("sdb", 16)}};
  spec::DeviceBacking wanted;
  NamedDevice named;

  Claimed() {
    add_label(drive());
    wanted = {drive().links.front(), false, drive().serial, drive().size, "", std::nullopt, false};
    named = {true, true, true, drive().number};
  }
  BlockDevice& drive() { return devices.all.front(); }
  Names refused() const { return names(backing_refusals(wanted, named, devices, k_us)); }
};

}  // namespace

TEST_CASE("a claimed drive that nothing uses is taken") {
  const Claimed claimed;
  CHECK(claimed.refused() == Names{});
  CHECK(usability(device_refusals(claimed.devices.all.front(), claimed.devices, k_us)) == "yes");
}

TEST_CASE("every fact that stands against a drive has its name") {
  using Change = std::function<void(Claimed&)>;
  struct Case {
    const char* what;
    Change change;
    Names refused;
  };
  const auto use = [](DeviceUse::Kind kind, const char* by) {
    return Change([=](Claimed& c) { c.drive().uses.push_back({kind, by, 7}); });
  };
  const auto signature = [](const char* type, const char* usage) {
    return Change([=](Claimed& c) { c.drive().signatures.push_back({type, usage, "", "", Bytes{65536}}); });
  };
  const auto loop = [](const std::function<void(LoopBacking&)>& change) {
    return Change([=](Claimed& c) {
      c.drive().loop = LoopBacking{"/var/disk.img", "1:2:0:0", true, false, true, k_us, {}};
      change(*c.drive().loop);
    });
  };
  const std::vector<Case> cases{
      {"no path", [](Claimed& c) { c.named = {}; }, {"removed"}},
      {"a file", [](Claimed& c) { c.named.block_device = false; }, {"not-a-block-device"}},
      {"a number that is gone", [](Claimed& c) { c.named.number.minor = 99; }, {"removed"}},
      {"no medium", [](Claimed& c) { c.drive().size = Bytes{0}; }, {"removed"}},
      {"a path that may change", [](Claimed& c) { c.named.link = false; }, {"unstable-path"}},
      {"another serial", [](Claimed& c) { c.wanted.serial = "WD-sdc"; }, {"serial-differs"}},
      {"no serial wanted", [](Claimed& c) { c.wanted.serial.clear(); }, {"serial-differs"}},
      {"another size", [](Claimed& c) { c.wanted.size = Bytes{512}; }, {"size-differs"}},
      {"a drive for a partition", [](Claimed& c) { c.wanted.one_partition = true; }, {"whole-or-part", "id-changed"}},
      {"root on it", [](Claimed& c) { c.drive().below_root = true; }, {"root-drive"}},
      {"mounted", use(DeviceUse::Kind::mount, "on /home"), {"mounted"}},
      {"swap", use(DeviceUse::Kind::swap, "as /dev/sdb"), {"active-swap"}},
      {"holder", use(DeviceUse::Kind::holder, "dm-0"), {"holder"}},
      {"process", use(DeviceUse::Kind::process, "process 7 (dd)"), {"used-by-process"}},
      {"domain", use(DeviceUse::Kind::domain, "the domain web (process 7)"), {"used-by-domain"}},
      {"read-only", [](Claimed& c) { c.drive().read_only = true; }, {"read-only"}},
      {"zones", [](Claimed& c) { c.drive().zoned = "host-managed"; }, {"zoned"}},
      {"no O_DIRECT", [](Claimed& c) { c.drive().without_direct_io = true; }, {"no-direct-io"}},
      {"unreadable", [](Claimed& c) { c.drive().unreadable = "Input/output error"; }, {"unreadable"}},
      {"a mapped device", [](Claimed& c) { c.drive().type = "crypt"; }, {"not-a-drive"}},
      {"LVM", signature("LVM2_member", "raid"), {"lvm-member"}},
      {"RAID", signature("linux_raid_member", "raid"), {"raid-member"}},
      {"RAID of a controller", signature("isw_raid_member", "raid"), {"raid-member"}},
      {"LUKS", signature("crypto_LUKS", "crypto"), {"luks"}},
      {"ZFS", signature("zfs_member", "filesystem"), {"zfs-member"}},
      {"a file system", signature("btrfs", "filesystem"), {"foreign-signature"}},
      {"a swap area", signature("swap", "other"), {"foreign-signature"}},
      {"qcow2", signature("qcow2", "image"), {"backing-image"}},
      {"no label", [](Claimed& c) { c.drive().signatures.clear(); }, {"not-claimed"}},
      {"another table",
       [](Claimed& c) {
         c.drive().signatures = {{"gpt", "table", "c12a7328-f81f-11d2-ba4b-00a0c93ec93b", "", Bytes{512}}};
       },
       {"foreign-signature", "not-claimed"}},
      {"loop", loop([](LoopBacking&) {}), {}},
      {"loop without direct I/O", loop([](LoopBacking& l) { l.direct = false; }), {"loop-buffered"}},
      {"deleted", loop([](LoopBacking& l) { l.deleted = true, l.visible = false; }), {"backing-hidden"}},
      {"another user's file", loop([](LoopBacking& l) { l.owner = 0; }), {"loop-of-someone-else"}},
      {"two loops, one file", loop([](LoopBacking& l) { l.shared_with = {"loop9"}; }), {"loop-shared"}}};
  for (const auto& one : cases) {
    CAPTURE(one.what);
    Claimed claimed;
    one.change(claimed);
    CHECK(claimed.refused() == one.refused);
  }
}

TEST_CASE("a label that was copied to another drive claims nothing") {
  auto other = disk("sdc", 32);
  other.signatures = Claimed().drive().signatures;
  CHECK_FALSE(is_claimed(other));
  other.serial = "WD-sdb";
  CHECK(is_claimed(other));
  other.size = Bytes{other.size.count - 512};
  CHECK_FALSE(is_claimed(other));
}

TEST_CASE("a drive without a serial is never claimed") {
  BlockDevices devices{{disk("vda", 0)}};
  auto& drive = devices.all.front();
  drive.serial.clear();
  add_label(drive);
  CHECK(names(device_refusals(drive, devices, k_us)) == Names{"no-serial", "foreign-signature", "not-claimed"});
}

TEST_CASE("what uses a partition uses the drive") {
  Claimed claimed;
  auto part = part_of(claimed.drive(), 1);
  part.uses = {{DeviceUse::Kind::mount, "on /home in the mount namespace of process 9", 0}};
  claimed.devices.all.push_back(part);
  const auto refusals = backing_refusals(claimed.wanted, claimed.named, claimed.devices, k_us);
  REQUIRE(names(refusals) == Names{"mounted"});
  CHECK(refusals.front().message == "its partition sdb1 is mounted on /home in the mount namespace of process 9");
}

TEST_CASE("one partition: its neighbours and the whole drive are looked at") {
  BlockDevices devices{{disk("sdb", 16)}};
  devices.all.push_back(part_of(devices.all[0], 1));
  devices.all.push_back(part_of(devices.all[0], 2));
  add_label(devices.all[1]);
  const auto& part = devices.all[1];
  spec::DeviceBacking wanted{part.links.front(), true, "", part.size, "", std::nullopt, false};
  const NamedDevice named{true, true, true, part.number};
  const auto refused = [&] { return names(backing_refusals(wanted, named, devices, k_us)); };
  CHECK(refused() == Names{});

  SECTION("another partition in use can be allowed") {
    devices.all[2].uses = {{DeviceUse::Kind::mount, "on /home", 0}};
    CHECK(refused() == Names{"neighbour-in-use"});
    CHECK(standing(backing_refusals(wanted, named, devices, k_us), {"neighbour-in-use"}).empty());
  }
  SECTION("the whole in use cannot") {
    devices.all[0].uses = {{DeviceUse::Kind::holder, "dm-0 (mpatha)", 0}};
    CHECK(refused() == Names{"partition-in-use"});
  }
  SECTION("another partition has the link's name") {
    wanted.path = "/dev/disk/by-partuuid/ffffffff-0000-4000-8000-000000000000";
    CHECK(refused() == Names{"id-changed"});
  }
  SECTION("named as a drive") {
    wanted.one_partition = false;
    CHECK(refused() == Names{"whole-or-part"});
  }
  SECTION("on the root drive") {
    devices.all[0].below_root = true;
    CHECK(refused() == Names{"root-drive"});
  }
}

TEST_CASE("what must not change while a drive is held") {
  Claimed claimed;
  const auto held = identity_of(claimed.drive());
  const auto changed = [&] { return names(changes(held, claimed.wanted.path, claimed.named, claimed.devices)); };
  CHECK(changed() == Names{});
  SECTION("link") {
    claimed.named.number.minor = 48;
    CHECK(changed() == Names{"link-moved"});
  }
  SECTION("link gone") {
    claimed.named = {};
    CHECK(changed() == Names{"removed"});
  }
  SECTION("drive gone") {
    claimed.devices.all.clear();
    CHECK(changed() == Names{"removed"});
  }
  SECTION("serial") {
    claimed.drive().serial = "WD-sdc";
    CHECK(changed() == Names{"serial-differs"});
  }
  SECTION("size") {
    claimed.drive().size = mib(1);
    CHECK(changed() == Names{"size-differs"});
  }
  SECTION("attached again") {
    claimed.drive().sequence = 77;
    CHECK(changed() == Names{"id-changed"});
  }
  SECTION("another world wide name") {
    claimed.drive().wwn = "0x1";
    CHECK(changed() == Names{"id-changed"});
  }
}

TEST_CASE("overrides take names one by one, and never those that lose data in use") {
  const auto allowed = names_that_can_be_allowed();
  for (const auto* never :
       {"mounted", "active-swap", "root-drive", "not-claimed", "serial-differs", "used-by-domain"}) {
    CAPTURE(never);
    CHECK(std::find(allowed.begin(), allowed.end(), never) == allowed.end());
    CHECK(standing({{never, "", "", false}}, {never}).size() == 1);
  }
  CHECK(std::find(allowed.begin(), allowed.end(), "foreign-signature") != allowed.end());
  CHECK(standing({{"luks", "", "", true}, {"mounted", "", "", false}}, {"luks", "mounted"}).front().name == "mounted");
}

TEST_CASE("one word says whether a drive may be used") {
  CHECK(usability({}) == "yes");
  CHECK(usability({{"not-claimed", "", "", false}, {"luks", "", "", true}}) == "claim");
  CHECK(usability({{"not-claimed", "", "", false}, {"mounted", "", "", false}}) == "no");
}

TEST_CASE("the kernel's word that a device is held is told where nothing else is known") {
  CHECK(names(with_hold({}, {held_exclusively()})) == Names{"held-exclusively"});
  CHECK(names(with_hold({{"mounted", "", "", false}}, {held_exclusively()})) == Names{"mounted"});
  CHECK(names(with_hold({}, {not_held("/dev/sdb", "Permission denied")})) == Names{"unreadable"});
  CHECK(names(with_hold({{"used-by-process", "", "", true}}, {locked_elsewhere("9 drive sdb")})) ==
        Names{"locked-by-other-swaprig", "used-by-process"});
}

TEST_CASE("a refusal is told with its name, what to do and its override") {
  CHECK(to_text(
            {{"luks", "sdb holds crypto_LUKS", "save it", true}, {"mounted", "sdb is mounted", "unmount it", false}}) ==
        "\n  luks: sdb holds crypto_LUKS; save it (or --allow luks)\n  mounted: sdb is mounted; unmount it");
}

}  // namespace swaprig::drive
