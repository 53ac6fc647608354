#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "simdrive/plugin/backing.hpp"
#include "simdrive/plugin/control.hpp"
#include "simdrive/plugin/delivery.hpp"
#include "simdrive/plugin/settings.hpp"
#include "simdrive/plugin/starvation.hpp"

namespace swaprig::simdrive {

/// One simulated drive: bytes from the backing, moments from the model.
class Server {
 public:
  /// Opens what it needs; throws std::runtime_error. `quit` ends the whole program.
  Server(Settings settings, std::function<void()> quit);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Starts the threads; after the fork.
  void start();

  const DriveParameters& drive() const { return m_settings.drive; }
  bool vanished() const { return m_delivery.vanished(); }

  /// Each returns 0 or the error number that the host gets to see.
  int read(void* buffer, std::uint32_t count, std::uint64_t offset);
  int write(const void* buffer, std::uint32_t count, std::uint64_t offset, bool fua);
  int zero(std::uint32_t count, std::uint64_t offset, bool fua);
  int trim(std::uint32_t count, std::uint64_t offset);
  int flush();

  /// Answers one line of the control socket.
  std::string answer(const std::string& line);
  /// A connection ended: its threads are about to.
  void connection_closed() { m_starvation.sample(); }

 private:
  template <typename Work>
  int carry_out(const Request& request, Work work);
  std::string counters();
  void trace(const Request& request, const Ticket& ticket);

  struct CloseFile {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  Settings m_settings;
  std::function<void()> m_quit;
  Backing m_backing;
  Delivery m_delivery;
  Starvation m_starvation;
  bool m_realtime = false;
  std::mutex m_trace_mutex;
  std::unique_ptr<std::FILE, CloseFile> m_trace;
  std::unique_ptr<Control> m_control;
};

}  // namespace swaprig::simdrive
