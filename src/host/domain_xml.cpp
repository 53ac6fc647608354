#include <array>
#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "base/wire.hpp"
#include "host/machine.hpp"

namespace swaprig::host {
namespace {

using drive::Attachment;

constexpr const char* k_namespace = "urn:swaprig:domain:1";
constexpr std::size_t k_longest_socket_path = 107;  // sun_path of unix(7), without its end

/// XML 1.0 has no way to write most control characters, and libvirt reads UTF-8 only.
const std::string& xml_text(const std::string& text, const char* what) {
  bool fits = is_utf8(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    fits = fits && (byte >= 0x20 || byte == '\n' || byte == '\t') && byte != 0x7f;
  }
  if (!fits) {
    throw UsageError(std::string("describing the guest to libvirt: ") + what + " \"" + printable_line(text) +
                     "\" holds control characters or is not UTF-8; use another name");
  }
  return text;
}

void require_socket_path(const std::filesystem::path& path) {
  if (path.string().size() <= k_longest_socket_path) return;
  throw UsageError("describing the guest to libvirt: the path of a socket is longer than " +
                   std::to_string(k_longest_socket_path) + " bytes: " + path.string());
}

/// An element and its attributes, in the order given.
pugi::xml_node add(pugi::xml_node parent, const char* name,
                   std::initializer_list<std::pair<const char*, std::string>> attributes = {}) {
  auto node = parent.append_child(name);
  for (const auto& [key, value] : attributes) node.append_attribute(key) = xml_text(value, key).c_str();
  return node;
}

void add_text(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).text() = xml_text(text, name).c_str();
}

const char* bus_name(Attachment::Bus bus) {
  switch (bus) {
    case Attachment::Bus::virtio:
      return "virtio";
    case Attachment::Bus::scsi:
      return "scsi";
    case Attachment::Bus::sata:
      return "sata";
    case Attachment::Bus::ide:
      return "ide";
  }
  return "virtio";
}

const char* name_prefix(Attachment::Bus bus) {
  switch (bus) {
    case Attachment::Bus::virtio:
      return "vd";
    case Attachment::Bus::scsi:
    case Attachment::Bus::sata:
      return "sd";
    case Attachment::Bus::ide:
      return "hd";
  }
  return "vd";
}

/// "vda" to "vdz", then "vdaa": libvirt wants a name, the guest chooses its own; drives are found by serial.
std::string target_name(Attachment::Bus bus, std::size_t index) {
  std::string letters;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return name_prefix(bus) + letters;
}

bool has_iothread(Attachment::Bus bus) { return bus == Attachment::Bus::virtio || bus == Attachment::Bus::scsi; }

void add_source(pugi::xml_node disk, const Attachment& drive) {
  switch (drive.source) {
    case Attachment::Source::file:
      add(disk, "source", {{"file", drive.path.string()}});
      break;
    case Attachment::Source::block_device:
      add(disk, "source", {{"dev", drive.path.string()}});
      break;
    case Attachment::Source::nbd_socket: {
      auto source = add(disk, "source", {{"protocol", "nbd"}, {"name", ""}});
      add(source, "host", {{"transport", "unix"}, {"socket", drive.path.string()}});
      break;
    }
  }
}

const char* disk_type(Attachment::Source source) {
  switch (source) {
    case Attachment::Source::file:
      return "file";
    case Attachment::Source::block_device:
      return "block";
    case Attachment::Source::nbd_socket:
      return "network";
  }
  return "file";
}

/// The disks of one machine; hands out iothreads, controllers and target names as it goes.
class Disks {
 public:
  explicit Disks(pugi::xml_node devices) : m_devices(devices) {}

  void add_disk(const Attachment& drive) {
    const std::size_t index = m_count++;
    const std::string iothread = has_iothread(drive.bus) ? std::to_string(++m_iothreads) : "";
    auto disk = add(m_devices, "disk", {{"type", disk_type(drive.source)}, {"device", "disk"}});
    add_driver(disk, drive, iothread);
    add_source(disk, drive);
    auto target =
        add(disk, "target",
            {{"dev", target_name(drive.bus, m_targets[name_prefix(drive.bus)]++)}, {"bus", bus_name(drive.bus)}});
    if (drive.rotation_rate > 0 && drive.bus != Attachment::Bus::virtio) {
      target.append_attribute("rotation_rate") = drive.rotation_rate;
    }
    add(disk, "blockio",
        {{"logical_block_size", std::to_string(drive.logical_sector)},
         {"physical_block_size", std::to_string(drive.physical_sector)}});
    add_text(disk, "serial", drive.serial);
    add(disk, "alias", {{"name", drive_alias(index)}});
    if (drive.bus == Attachment::Bus::scsi) add_controller(disk, iothread);
  }

 private:
  /// cache=none is O_DIRECT; discard (unless it is what is measured) and zero detection would turn swap's writes into
  /// something cheaper;
  /// error policies let the guest see the fault instead of pausing it.
  static void add_driver(pugi::xml_node disk, const Attachment& drive, const std::string& iothread) {
    auto driver = add(disk, "driver", {{"name", "qemu"}, {"type", "raw"}, {"cache", "none"}});
    if (drive.source != Attachment::Source::nbd_socket) driver.append_attribute("io") = drive.io.c_str();
    driver.append_attribute("error_policy") = "report";
    driver.append_attribute("rerror_policy") = "report";
    driver.append_attribute("discard") = drive.discard ? "unmap" : "ignore";
    driver.append_attribute("detect_zeroes") = "off";
    if (drive.bus == Attachment::Bus::virtio) driver.append_attribute("iothread") = iothread.c_str();
  }

  /// A virtio-scsi controller of its own for every drive, since the iothread belongs to the controller.
  void add_controller(pugi::xml_node disk, const std::string& iothread) {
    const std::string number = std::to_string(m_controllers++);
    add(disk, "address", {{"type", "drive"}, {"controller", number}, {"bus", "0"}, {"target", "0"}, {"unit", "0"}});
    auto controller = add(m_devices, "controller", {{"type", "scsi"}, {"index", number}, {"model", "virtio-scsi"}});
    add(controller, "driver", {{"iothread", iothread}});
  }

  pugi::xml_node m_devices;
  std::size_t m_count = 0;
  int m_iothreads = 0;
  int m_controllers = 0;
  std::map<std::string, std::size_t> m_targets;
};

void add_metadata(pugi::xml_node domain, const DomainSpec& spec) {
  auto ours = add(add(domain, "metadata"), "swaprig:guest", {{"xmlns:swaprig", k_namespace}, {"owner", spec.owner}});
  for (std::size_t i = 0; i < spec.drives.size(); ++i) {
    add(ours, "swaprig:drive", {{"alias", drive_alias(i)}, {"name", spec.drives[i].drive}});
  }
}

/// Preallocated, so that no scenario pays for first touch; not shared, so that the host's KSM leaves it alone.
void add_memory(pugi::xml_node domain, Bytes memory) {
  auto size = add(domain, "memory", {{"unit", "b"}});
  size.text() = static_cast<unsigned long long>(memory.count);
  auto backing = add(domain, "memoryBacking");
  add(backing, "nosharepages");
  add(backing, "allocation", {{"mode", "immediate"}});
}

constexpr std::string_view k_q35 = "q35";

/// q35 has no IDE bus; everything else runs on it.
std::string machine_type(const DomainSpec& spec) {
  for (const auto& drive : spec.drives) {
    if (drive.bus == Attachment::Bus::ide) return "pc";
  }
  return std::string(k_q35);
}

void add_boot(pugi::xml_node domain, const DomainSpec& spec) {
  auto os = add(domain, "os");
  add(os, "type", {{"arch", "x86_64"}, {"machine", machine_type(spec)}}).text() = "hvm";
  add_text(os, "kernel", spec.kernel.string());
  if (!spec.initrd.empty()) add_text(os, "initrd", spec.initrd.string());
  if (!spec.kernel_arguments.empty()) add_text(os, "cmdline", spec.kernel_arguments);
}

void add_processor(pugi::xml_node domain, Virtualisation virtualisation) {
  auto features = add(domain, "features");
  add(features, "acpi");
  add(features, "apic");
  add(features, "vmport", {{"state", "off"}});
  add(domain, "cpu", {{"mode", virtualisation == Virtualisation::kvm ? "host-passthrough" : "maximum"}});
  add(domain, "clock", {{"offset", "utc"}});
}

/// A virtio-serial port of the guest; libvirt chooses the socket when the path is empty.
void add_channel(pugi::xml_node devices, const char* port, const std::filesystem::path& socket) {
  auto channel = add(devices, "channel", {{"type", "unix"}});
  if (!socket.empty()) add(channel, "source", {{"mode", "bind"}, {"path", socket.string()}});
  add(channel, "target", {{"type", "virtio"}, {"name", port}});
}

void add_console_and_channels(pugi::xml_node devices, const DomainSpec& spec) {
  auto serial = add(devices, "serial", {{"type", "file"}});
  add(serial, "source", {{"path", spec.console.string()}, {"append", "off"}});
  add(add(serial, "target", {{"type", "isa-serial"}, {"port", "0"}}), "model", {{"name", "isa-serial"}});

  add_channel(devices, wire::k_agent_port, spec.agent_socket);
  add_channel(devices, wire::k_probe_port, spec.probe_socket);
}

bool is_pci(pugi::xml_node device) {
  const std::string name = device.name();
  const std::string type = device.attribute("type").value();
  if (name == "disk") return device.child("target").attribute("bus").value() == std::string("virtio");
  return name == "rng" || (name == "controller" && (type == "scsi" || type == "virtio-serial"));
}

/// libvirt would put every device of q35 behind a root port of its own. The guest's kernel takes 0.3 s without KVM to
/// walk through those (tests/bench/run_costs.sh), and nothing is plugged in later: they sit on the root bus, as on
/// "pc". Slot 31 is the chipset's; eight drives and two more stay far below.
void place_on_root_bus(pugi::xml_node devices) {
  int slot = 0;
  for (auto device : devices.children()) {
    if (!is_pci(device)) continue;
    add(device, "address",
        {{"type", "pci"}, {"domain", "0"}, {"bus", "0"}, {"slot", std::to_string(++slot)}, {"function", "0"}});
  }
}

void add_devices(pugi::xml_node domain, const DomainSpec& spec) {
  auto devices = add(domain, "devices");
  Disks disks(devices);
  for (const auto& drive : spec.drives) disks.add_disk(drive);
  add(devices, "controller", {{"type", "usb"}, {"model", "none"}});
  add(devices, "controller", {{"type", "virtio-serial"}, {"index", "0"}});
  add_console_and_channels(devices, spec);
  add(add(devices, "video"), "model", {{"type", "none"}});
  add(devices, "memballoon", {{"model", "none"}});
  auto rng = add(devices, "rng", {{"model", "virtio"}});
  add(rng, "backend", {{"model", "random"}}).text() = "/dev/urandom";
  if (machine_type(spec) == k_q35) place_on_root_bus(devices);
}

std::size_t iothreads(const DomainSpec& spec) {
  std::size_t count = 0;
  for (const auto& drive : spec.drives) count += has_iothread(drive.bus) ? 1U : 0U;
  return count;
}

}  // namespace

std::string domain_name(std::string_view what) { return "swaprig-" + slug(what); }

std::string drive_alias(std::size_t index) { return "ua-drive" + std::to_string(index); }

std::string domain_xml(const DomainSpec& spec) {
  require_socket_path(spec.probe_socket);
  require_socket_path(spec.agent_socket);
  pugi::xml_document document;
  auto domain = add(document, "domain", {{"type", spec.virtualisation == Virtualisation::kvm ? "kvm" : "qemu"}});
  add_text(domain, "name", spec.name);
  if (!spec.uuid.empty()) add_text(domain, "uuid", spec.uuid);
  add_metadata(domain, spec);
  add_memory(domain, spec.memory);
  add(domain, "vcpu", {{"placement", "static"}}).text() = spec.vcpus;
  if (const auto count = iothreads(spec); count > 0) {
    add(domain, "iothreads").text() = static_cast<unsigned long long>(count);
  }
  add_boot(domain, spec);
  add_processor(domain, spec.virtualisation);
  for (const char* event : {"on_poweroff", "on_reboot", "on_crash"}) add_text(domain, event, "destroy");
  add_devices(domain, spec);

  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

}  // namespace swaprig::host
