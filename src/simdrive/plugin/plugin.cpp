// The face of the simulated drives towards nbdkit: plain functions that hand over to the Server, and turn exceptions
// into nbdkit's errors.

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>

#include "simdrive/plugin/server.hpp"

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL

namespace swaprig::simdrive {

namespace {

/// nbdkit calls plain functions, so the one drive that it serves has to be reachable from them.
struct Plugin {
  Settings settings;
  std::unique_ptr<Server> server;
};

Plugin& plugin() {
  static Plugin instance;
  return instance;
}

template <typename Work>
int guarded(Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    nbdkit_error("%s", error.what());
    return -1;
  }
}

int result(int error) {
  if (error == 0) return 0;
  nbdkit_set_error(error);
  return -1;
}

int config(const char* key, const char* value) {
  return guarded([&] {
    if (const std::string fault = plugin().settings.apply(key, value); !fault.empty()) throw std::runtime_error(fault);
  });
}

int config_complete() {
  return guarded([] {
    if (const std::string fault = plugin().settings.check(); !fault.empty()) throw std::runtime_error(fault);
  });
}

int get_ready() {
  return guarded([] { plugin().server = std::make_unique<Server>(plugin().settings, [] { nbdkit_shutdown(); }); });
}

int after_fork() {
  return guarded([] { plugin().server->start(); });
}

void unload() { plugin().server.reset(); }

void* open_connection(int) {
  if (!plugin().server->vanished()) return NBDKIT_HANDLE_NOT_NEEDED;
  nbdkit_error("the simulated drive has vanished");
  return nullptr;
}

void close_connection(void*) { plugin().server->connection_closed(); }

std::int64_t get_size(void*) { return static_cast<std::int64_t>(plugin().server->drive().size); }
int yes(void*) { return 1; }
int is_rotational(void*) { return plugin().server->drive().kind == DriveKind::hdd ? 1 : 0; }
int can_fua(void*) { return NBDKIT_FUA_NATIVE; }

int block_size(void*, std::uint32_t* minimum, std::uint32_t* preferred, std::uint32_t* maximum) {
  const DriveParameters& drive = plugin().server->drive();
  *minimum = static_cast<std::uint32_t>(drive.logical_sector);
  *preferred = static_cast<std::uint32_t>(std::max<std::uint64_t>(drive.physical_sector, 4096));
  *maximum = 64U << 20U;
  return 0;
}

int read(void*, void* buffer, std::uint32_t count, std::uint64_t offset, std::uint32_t) {
  return result(plugin().server->read(buffer, count, offset));
}

int write(void*, const void* buffer, std::uint32_t count, std::uint64_t offset, std::uint32_t flags) {
  return result(plugin().server->write(buffer, count, offset, (flags & NBDKIT_FLAG_FUA) != 0));
}

int zero(void*, std::uint32_t count, std::uint64_t offset, std::uint32_t flags) {
  return result(plugin().server->zero(count, offset, (flags & NBDKIT_FLAG_FUA) != 0));
}

int trim(void*, std::uint32_t count, std::uint64_t offset, std::uint32_t) {
  return result(plugin().server->trim(count, offset));
}

int flush(void*, std::uint32_t) { return result(plugin().server->flush()); }

nbdkit_plugin describe() {
  nbdkit_plugin description = {};
  description.name = "swaprig-simdrive";
  description.longname = "simulated drive of swaprig";
  description.description = "serves a sparse file with the timing of a drive";
  description.config = config;
  description.config_complete = config_complete;
  description.config_help =
      "kind=hdd|ssd|null, geometry=spiral|cylinders and the drive's figures come first;\n"
      "file=PATH control=SOCKET time_scale=X region=NAME:OFFSET:SIZE bad=OFFSET:SIZE:read|write|both[:AFTER_MS]\n"
      "vanish=MS transport=NS trace=PATH";
  description.get_ready = get_ready;
  description.after_fork = after_fork;
  description.unload = unload;
  description.open = open_connection;
  description.close = close_connection;
  description.get_size = get_size;
  description.can_write = yes;
  description.can_flush = yes;
  description.can_trim = yes;
  description.can_zero = yes;
  description.can_multi_conn = yes;
  description.is_rotational = is_rotational;
  description.can_fua = can_fua;
  description.block_size = block_size;
  description.pread = read;
  description.pwrite = write;
  description.zero = zero;
  description.trim = trim;
  description.flush = flush;
  return description;
}

nbdkit_plugin& description() {
  static nbdkit_plugin instance = describe();
  return instance;
}

}  // namespace

}  // namespace swaprig::simdrive

extern "C" {
NBDKIT_REGISTER_PLUGIN(swaprig::simdrive::description())
}
