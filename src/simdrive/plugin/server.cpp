#include "simdrive/plugin/server.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <stdexcept>

#include "base/simdrive_wire.hpp"
#include "simdrive/plugin/counters_json.hpp"

namespace swaprig::simdrive {

namespace {

namespace wire = simdrive_wire;

constexpr std::uint64_t k_longest_wait_ms = 1'000'000'000;

std::string refusal(const std::string& error) {
  return Json{{"ok", false}, {"error", error}}.dump(-1, ' ', true, Json::error_handler_t::replace);
}
std::string consent() { return Json{{"ok", true}}.dump(); }

std::FILE* open_trace(const std::string& path) {
  if (path.empty()) return nullptr;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) throw std::runtime_error("opening the trace " + path + ": " + std::strerror(errno));
  std::fputs("arrival_ns,operation,offset,length,modelled_ns,delivered_ns\n", file);
  return file;
}

const char* name_of(Operation operation) {
  static constexpr std::array k_names{"read", "write", "zero", "trim", "flush"};
  return k_names[static_cast<std::size_t>(operation)];
}

/// A full or broken backing is a broken medium to the guest. Its own error number would make QEMU wait for space.
int medium_error(int error) { return error == 0 ? 0 : EIO; }

/// A real drive needs no processor of the host. Where we may, the server comes before everything that computes (all
/// threads inherit it): beside a busy guest on two processors one request in a hundred was 1.6 ms late without that, and
/// 0.1 to 0.2 ms with it.
bool run_before_others() {
  const sched_param least{sched_get_priority_min(SCHED_RR)};
  return sched_setscheduler(0, SCHED_RR, &least) == 0;
}

}  // namespace

Server::Server(Settings settings, std::function<void()> quit)
    : m_settings(std::move(settings)),
      m_quit(std::move(quit)),
      m_backing(m_settings.file, m_settings.drive.size, m_settings.room),
      m_delivery(m_settings),
      m_trace(open_trace(m_settings.trace)) {
  if (!m_settings.control.empty()) m_control = std::make_unique<Control>(m_settings.control);
}

Server::~Server() {
  m_control.reset();
  m_delivery.stop();
}

void Server::start() {
  // A drive without delays has no moment to keep, and real-time threads would cost it three quarters of its rate.
  m_realtime = drive().kind != DriveKind::null && run_before_others();
  m_backing.start();
  m_delivery.start();
  if (m_control) m_control->start([this](const std::string& line) { return answer(line); });
}

int Server::read(void* buffer, std::uint32_t count, std::uint64_t offset) {
  return carry_out({0, Operation::read, offset, count, false}, [&] { return m_backing.read(buffer, count, offset); });
}

int Server::write(const void* buffer, std::uint32_t count, std::uint64_t offset, bool fua) {
  return carry_out({0, Operation::write, offset, count, fua}, [&] { return m_backing.write(buffer, count, offset); });
}

int Server::zero(std::uint32_t count, std::uint64_t offset, bool fua) {
  return carry_out({0, Operation::zero, offset, count, fua}, [&] { return m_backing.zero(count, offset); });
}

int Server::trim(std::uint32_t count, std::uint64_t offset) {
  return carry_out({0, Operation::trim, offset, count, false}, [&] {
    const int error = m_backing.trim(count, offset);
    return error == EOPNOTSUPP ? 0 : error;
  });
}

int Server::flush() {
  return carry_out({0, Operation::flush, 0, 0, false}, [] { return 0; });
}

/// The bytes move while the model's time passes.
template <typename Work>
int Server::carry_out(const Request& request, Work work) {
  Ticket ticket;
  m_delivery.submit(request, ticket);
  const int error = ticket.bad ? EIO : medium_error(work());
  if (!m_delivery.wait(ticket)) return EIO;
  if (m_trace) trace(request, ticket);
  return error;
}

std::string Server::answer(const std::string& line) {
  const auto space = line.find(' ');
  const std::string command = line.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  if (command == wire::k_counters) return counters();
  if (command == wire::k_hello) {
    return Json{{"ok", true},           {"version", wire::k_version},
                {"pid", getpid()},      {"kind", simdrive::name_of(drive().kind)},
                {"size", drive().size}, {"time_scale", m_settings.time_scale},
                {"vanished", vanished()}, {"realtime", m_realtime}}
        .dump();
  }
  if (command == wire::k_vanish_now) {
    std::uint64_t milliseconds = 0;
    if (!rest.empty() && (!parse_number(rest, milliseconds) || milliseconds > k_longest_wait_ms)) {
      return refusal("vanish takes a number of milliseconds");
    }
    m_delivery.vanish(std::chrono::milliseconds(milliseconds));
    return consent();
  }
  if (command == wire::k_bad_now) {
    BadRange range;
    std::string error;
    if (!parse_bad_range(rest, drive().size, m_delivery.now(), range, error)) return refusal(error);
    m_delivery.add_bad(range);
    return consent();
  }
  if (command == wire::k_extend) {
    Region extent;
    if (const auto fault = read_region(rest, extent); !fault.empty()) return refusal(fault);
    const bool inside = extent.offset <= drive().size && extent.size <= drive().size - extent.offset;
    if (extent.size == 0 || !inside || !m_delivery.extend_region(extent)) {
      return refusal("cannot extend a region by " + rest.substr(0, 80) +
                     ": the region has to be there, and the bytes on the drive and not added before");
    }
    return consent();
  }
  if (command == wire::k_quit) {
    m_delivery.stop();
    m_quit();
    return consent();
  }
  return refusal("unknown command " + command.substr(0, 40) + "; known are hello, counters, vanish, bad, extend, quit");
}

std::string Server::counters() {
  Json json{{"ok", true}, {"version", wire::k_version}, {"kind", simdrive::name_of(drive().kind)}};
  m_delivery.read_counters([&](const Counters& model, const DeliveryCounters& delivery, Time now) {
    json["wall_ns"] = now.count();
    json["time_scale"] = m_settings.time_scale;
    json["drive"] = model_json(model, m_settings.time_scale);
    json["delivery"] = delivery_json(delivery);
  });
  json["vanished"] = vanished();
  json["realtime"] = m_realtime;
  json["backing"] = backing_json(m_backing.counters());
  json["starvation_ns"] = m_starvation.sample();
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

void Server::trace(const Request& request, const Ticket& ticket) {
  const Time left = m_delivery.now();
  const std::lock_guard lock(m_trace_mutex);
  std::fprintf(m_trace.get(), "%" PRId64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 "\n",
               std::int64_t{ticket.arrival.count()}, name_of(request.operation), request.offset, request.length,
               std::int64_t{(ticket.modelled - ticket.arrival).count()}, std::int64_t{(left - ticket.arrival).count()});
}

}  // namespace swaprig::simdrive
