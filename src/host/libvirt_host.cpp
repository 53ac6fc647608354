#include "host/libvirt_host.hpp"

#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "host/embedded_driver.hpp"
#include "host/event_loop.hpp"
#include "host/guest_clock.hpp"
#include "host/libvirt_handles.hpp"
#include "host/libvirt_machine.hpp"
#include "host/libvirt_uri.hpp"
#include "host/orphan_reaper.hpp"
#include "host/registered_folder.hpp"

namespace swaprig::host {
namespace {

// As root the embedded driver looks up the user that the distribution runs QEMU as, although ours does not use it.
constexpr const char* k_missing_user_advice =
    "libvirt's package expects that user; try: useradd --system --user-group --no-create-home "
    "--shell /usr/sbin/nologin libvirt-qemu";

constexpr const char* k_missing_daemon_advice =
    "start libvirt's daemon, or leave --connect out: then its driver runs within swaprig";

void keep_silent(void*, virErrorPtr) {}

/// Keeps libvirt's log off our stderr: its errors reach us as exceptions anyway. libvirt reads the variable once, at
/// its first use in a process; a value of the user's stays.
void silence_log() { ::setenv("LIBVIRT_LOG_OUTPUTS", "4:file:/dev/null", 0); }

ConnectionHandle connect(const std::string& uri) {
  const std::string doing = "opening libvirt's connection " + uri;
  const SignalsBlocked blocked;  // for the threads that libvirt makes
  ConnectionHandle connection(virConnectOpen(uri.c_str()));
  if (connection) return connection;
  try {
    throw_libvirt_error(doing);
  } catch (const LibvirtError& error) {
    const std::string_view words = error.what();
    const bool misses_user = words.find("Failed to parse user") != std::string_view::npos;
    const bool misses_daemon = words.find("connect socket") != std::string_view::npos;
    if (!misses_user && !misses_daemon) throw;
    throw LibvirtError(error.what(), misses_user ? k_missing_user_advice : k_missing_daemon_advice,
                       error.libvirt_code());
  }
}

class LibvirtHost final : public MachineHost {
 public:
  /// The embedded driver when `uri` is empty.
  LibvirtHost(const std::string& uri, const Folders& folders)
      : m_embedded(uri.empty()),
        m_autodestroy(!m_embedded && driver_of(uri) == "qemu"),
        m_folder(folders, short_folder_base(), m_embedded ? 0700U : 0711U) {
    m_loop.emplace();
    if (m_embedded) {
      prepare_embedded_root(m_folder.path(), folders);
      m_reaper.emplace();
    }
    m_connection = connect(m_embedded ? embedded_uri(m_folder.path()) : uri);
  }

  std::unique_ptr<Machine> start(const DomainSpec& wanted) override {
    DomainSpec spec = wanted;
    spec.owner = m_folder.id();
    if (spec.virtualisation == Virtualisation::tcg && !m_tsc_khz) m_tsc_khz = host_tsc_khz();
    spec.kernel_arguments = with_stable_clock(spec.kernel_arguments, spec.virtualisation, m_tsc_khz);
    if (m_embedded) spec.agent_socket = m_folder.path() / ("agent-" + std::to_string(++m_started));
    const std::string xml = domain_xml(spec);
    const SignalsBlocked blocked;
    // The embedded driver refuses autodestroy; there the registered folder leads the next swaprig to the guest.
    const unsigned flags = m_autodestroy ? VIR_DOMAIN_START_AUTODESTROY : VIR_DOMAIN_NONE;
    DomainHandle domain(
        check(virDomainCreateXML(m_connection.get(), xml.c_str(), flags), "starting guest " + spec.name));
    return std::make_unique<RunningMachine>(m_connection.get(), std::move(domain), spec);
  }

  std::filesystem::path socket_folder() const override { return m_folder.path(); }

  std::string versions() override {
    unsigned long hypervisor = 0;
    unsigned long library = 0;
    check(virConnectGetVersion(m_connection.get(), &hypervisor), "asking libvirt for QEMU's version");
    check(virConnectGetLibVersion(m_connection.get(), &library), "asking libvirt for its version");
    return "QEMU " + version_text(hypervisor) + ", libvirt " + version_text(library);
  }

 private:
  bool m_embedded;
  bool m_autodestroy;
  int m_started = 0;
  std::optional<std::uint64_t> m_tsc_khz;  ///< measured once, at the first guest under TCG
  RegisteredFolder m_folder;
  std::optional<OrphanReaper> m_reaper;
  std::optional<EventLoop> m_loop;
  ConnectionHandle m_connection;  // closed before the loop ends and the folder goes
};

}  // namespace

std::unique_ptr<MachineHost> open_libvirt(const std::string& uri, const Folders& folders) {
  if (!uri.empty()) require_local_uri(uri);
  silence_log();
  virSetErrorFunc(nullptr, &keep_silent);
  if (uri.empty()) require_embedded_driver();
  return std::make_unique<LibvirtHost>(uri, folders);
}

}  // namespace swaprig::host
