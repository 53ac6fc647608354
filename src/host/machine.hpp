#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "drive/attachment.hpp"

namespace swaprig::host {

enum class Virtualisation { kvm, tcg };

/// Everything a domain is made of; `domain_xml` turns it into libvirt's XML.
struct DomainSpec {
  std::string name;  ///< "swaprig-" and a slug
  std::string uuid;
  Bytes memory;
  int vcpus = 1;
  Virtualisation virtualisation = Virtualisation::tcg;
  std::filesystem::path kernel;
  std::filesystem::path initrd;
  std::string kernel_arguments;
  std::vector<drive::Attachment> drives;
  std::filesystem::path console;       ///< file that the guest's ttyS0 is written to
  std::filesystem::path probe_socket;  ///< UNIX socket of the probe's port (QEMU listens); at most 107 bytes
  std::filesystem::path agent_socket;  ///< filled in by MachineHost::start; empty: libvirt chooses
  std::string owner;                   ///< which connection of which swaprig; filled in by MachineHost::start
};

/// What every guest of ours is called by: "swaprig-" and the slug of `what`.
std::string domain_name(std::string_view what);

/// The device alias of the drive at that place of `DomainSpec::drives`; in QMP as well.
std::string drive_alias(std::size_t index);

/// Pure; through an XML library, so every name is escaped. Throws UsageError for a text that XML cannot hold
/// (broken UTF-8, control characters), and when the probe's socket path is too long for a UNIX socket.
std::string domain_xml(const DomainSpec& spec);

/// Our guests have no panic device: a kernel that panics with panic=-1 reboots, which ends the guest, so it is
/// shut_off and the console tells why. `panicked` is for guests whose QEMU reports it.
enum class MachineState { running, paused, panicked, shut_off };

/// QEMU's own counters of one drive; differences are what counts.
struct BlockCounters {
  std::string drive;
  std::uint64_t read_bytes = 0;
  std::uint64_t read_requests = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t write_requests = 0;
  std::uint64_t flush_requests = 0;
  std::uint64_t read_ns = 0;  ///< total time in reads
  std::uint64_t write_ns = 0;
  std::uint64_t failed_reads = 0;
  std::uint64_t failed_writes = 0;
};

/// The guest agent or the monitor gave no answer, or an error of its own; keeps libvirt's words.
class LibvirtError : public HostError {
 public:
  LibvirtError(const std::string& doing, const std::string& words, int code);
  int libvirt_code() const { return m_code; }

 private:
  int m_code;
};

/// A running guest. The destructor destroys it; it never throws.
class Machine {
 public:
  virtual ~Machine() = default;

  virtual MachineState state() = 0;
  /// One command to the guest agent and its answer, JSON both; throws LibvirtError on timeout or error.
  virtual std::string agent(const std::string& json, std::chrono::seconds timeout) = 0;
  /// One QMP command and its answer; throws LibvirtError.
  virtual std::string monitor(const std::string& json) = 0;
  virtual std::vector<BlockCounters> block_counters() = 0;
  /// QEMU's process, for /proc.
  virtual int pid() const = 0;
  /// Ends the guest at once; does nothing when it is gone already.
  virtual void destroy() = 0;
};

/// Starts machines; owns the connection.
class MachineHost {
 public:
  virtual ~MachineHost() = default;

  virtual std::unique_ptr<Machine> start(const DomainSpec& spec) = 0;
  /// A folder of this connection for UNIX sockets, on a short path (at most 60 characters), removed with the connection
  /// or by clean_leftovers.
  virtual std::filesystem::path socket_folder() const = 0;
  /// "QEMU 7.2.22", "libvirt 9.0.0": for the record.
  virtual std::string versions() = 0;
};

}  // namespace swaprig::host
