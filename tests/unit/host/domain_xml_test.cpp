#include <pugixml.hpp>

#include "host/machine.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::host;
using drive::Attachment;
using testing::check_golden;

namespace {

Attachment file_drive(const std::string& name, const std::string& serial) {
  Attachment drive;
  drive.drive = name;
  drive.path = "/var/lib/swaprig/drives/" + name + ".raw";
  drive.serial = serial;
  return drive;
}

DomainSpec example() {
  DomainSpec spec;
  spec.name = "swaprig-quickstart-7c9e6679";
  spec.uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
  spec.memory = mib(256);
  spec.vcpus = 1;
  spec.kernel = "/var/cache/swaprig/images/0f3a/vmlinux";
  spec.initrd = "/var/lib/swaprig/run/initrd";
  spec.kernel_arguments = "console=ttyS0 quiet panic=-1 swaprig.root=sr-root:1";
  spec.drives = {file_drive("root", "sr-root"), file_drive("second", "sr-second")};
  spec.console = "/var/lib/swaprig/consoles/1.log";
  spec.probe_socket = "/run/swaprig/swaprig-abc123/probe";
  spec.agent_socket = "/run/swaprig/swaprig-abc123/agent-1";
  spec.owner = "abc123";
  return spec;
}

pugi::xml_document parse(const std::string& xml) {
  pugi::xml_document document;
  REQUIRE(document.load_string(xml.c_str(), pugi::parse_default | pugi::parse_ws_pcdata_single));
  return document;
}

}  // namespace

TEST_CASE("domain XML of a guest under TCG with file drives") {
  check_golden("domain-tcg-files.xml", domain_xml(example()));
}

TEST_CASE("domain XML of a guest under KVM on a block device; libvirt chooses what is not given") {
  auto spec = example();
  spec.virtualisation = Virtualisation::kvm;
  spec.vcpus = 2;
  spec.uuid.clear();
  spec.agent_socket.clear();
  spec.drives.resize(1);
  spec.drives[0].source = Attachment::Source::block_device;
  spec.drives[0].path = "/dev/loop7";
  spec.drives[0].io = "io_uring";
  spec.drives[0].discard = true;
  check_golden("domain-kvm-device.xml", domain_xml(spec));
}

TEST_CASE("domain XML with virtio-scsi drives that turn and do not, and one on SATA") {
  auto spec = example();
  spec.drives.push_back(file_drive("third", "sr-third"));
  spec.drives[0].bus = Attachment::Bus::scsi;
  spec.drives[0].rotation_rate = 5400;
  spec.drives[1].bus = Attachment::Bus::scsi;
  spec.drives[1].rotation_rate = 1;
  spec.drives[2].bus = Attachment::Bus::sata;
  check_golden("domain-scsi.xml", domain_xml(spec));
}

TEST_CASE("domain XML with a drive served over an NBD socket") {
  auto spec = example();
  spec.drives.resize(1);
  spec.drives[0].source = Attachment::Source::nbd_socket;
  spec.drives[0].path = "/run/swaprig/swaprig-abc123/hdd.nbd";
  check_golden("domain-nbd.xml", domain_xml(spec));
}

TEST_CASE("names of all kinds come back from the domain XML as they were") {
  const std::string awkward = "a \"quoted\" <name> & 'ümläut'\nsecond line, 硬盘";
  auto spec = example();
  spec.drives[0].drive = awkward;
  spec.console = "/consoles/" + awkward;
  spec.kernel_arguments = "quiet <&>\" x";
  const auto document = parse(domain_xml(spec));
  const auto domain = document.child("domain");
  CHECK(domain.child("metadata").child("swaprig:guest").child("swaprig:drive").attribute("name").value() == awkward);
  CHECK(domain.child("devices").child("serial").child("source").attribute("path").value() == "/consoles/" + awkward);
  CHECK(domain.child("os").child("cmdline").text().get() == spec.kernel_arguments);
}

TEST_CASE("what XML cannot hold is refused") {
  auto spec = example();
  SECTION("control characters") { spec.kernel_arguments = "quiet \x1b[2J"; }
  SECTION("broken UTF-8") { spec.drives[0].drive = "drive\xff"; }
  SECTION("in a path") { spec.console = "/consoles/\x01"; }
  CHECK_THROWS_AS(domain_xml(spec), UsageError);
}

TEST_CASE("a socket path that UNIX cannot hold is refused") {
  auto spec = example();
  spec.probe_socket = "/" + std::string(106, 'p');
  CHECK_NOTHROW(domain_xml(spec));
  spec.probe_socket = "/" + std::string(107, 'p');
  CHECK_THROWS_AS(domain_xml(spec), UsageError);
}

TEST_CASE("an IDE drive needs the machine that has such a bus") {
  auto spec = example();
  spec.drives[0].bus = Attachment::Bus::ide;
  const auto document = parse(domain_xml(spec));
  CHECK(document.child("domain").child("os").child("type").attribute("machine").value() == std::string("pc"));
  CHECK(document.child("domain").child("iothreads").text().as_int() == 1);  // the virtio drive's alone
}

TEST_CASE("many drives get different names in the XML") {
  auto spec = example();
  spec.drives.assign(28, file_drive("d", "s"));
  const auto document = parse(domain_xml(spec));
  std::vector<std::string> names;
  for (const auto disk : document.child("domain").child("devices").children("disk")) {
    names.emplace_back(disk.child("target").attribute("dev").value());
  }
  REQUIRE(names.size() == 28);
  CHECK(names[0] == "vda");
  CHECK(names[25] == "vdz");
  CHECK(names[26] == "vdaa");
  CHECK(names[27] == "vdab");
}

TEST_CASE("a guest's name is made of safe characters whatever it is named after") {
  const auto name = domain_name("Größe <1>\n/x");
  CHECK(name.starts_with("swaprig-"));
  CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  CHECK(name != domain_name("Grösse <1>\n/x"));
}
